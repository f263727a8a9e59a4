import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import { dataOf } from "../../api/api.ts";
import type { operations } from "../../api/schema.ts";
import { visitorApi } from "../../api/sign-in.ts";

type Offers = operations["getSignin"]["responses"][200]["content"]["application/json"];

/** By what people can sign in here. */
export function useOffers(): UseQueryResult<Offers> {
  return useQuery({
    queryKey: ["sign-in offers"],
    queryFn: () => dataOf(visitorApi.GET("/signin")),
    staleTime: Infinity,
  });
}
