import { useState } from "react";
import { useSearchParams } from "wouter";

/** Whether the form for a new record is open: a button opens it, or the address of the page. */
export function useAdding(): readonly [isAdding: boolean, setAdding: (isAdding: boolean) => void] {
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useSearchParams();
  const isInAddress = search.has("add");
  return [
    isOpen || isInAddress,
    (isAdding) => {
      setOpen(isAdding);
      if (!isAdding && isInAddress) setSearch({}, { replace: true });
    },
  ];
}
