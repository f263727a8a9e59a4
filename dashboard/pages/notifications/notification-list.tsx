import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useRef, type ReactElement } from "react";

import { useText } from "../../text.ts";
import { NotificationItem } from "./notification-item.tsx";
import type { Notification } from "./notification.ts";

const USUAL_HEIGHT = 92;
const OVERSCAN = 8;

/** The log: of a long one only what is near the window is drawn. */
export function NotificationList({ all }: { readonly all: readonly Notification[] }): ReactElement {
  const text = useText();
  const list = useRef<HTMLUListElement>(null);
  const rows = useWindowVirtualizer({
    count: all.length,
    estimateSize: () => USUAL_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => all[index]?._id ?? index,
  });
  return (
    <ul
      ref={list}
      aria-label={text("notifications.title")}
      style={{
        position: "relative",
        height: rows.getTotalSize(),
        margin: 0,
        padding: 0,
        listStyle: "none",
      }}
    >
      {rows.getVirtualItems().map(({ key, index, start }) => {
        const notification = all[index];
        if (notification === undefined) return null;
        return (
          <li
            key={key}
            ref={rows.measureElement}
            data-index={index}
            aria-setsize={all.length}
            aria-posinset={index + 1}
            style={{
              position: "absolute",
              top: 0,
              left: 0,
              width: "100%",
              transform: `translateY(${start - rows.options.scrollMargin}px)`,
            }}
          >
            <NotificationItem notification={notification} />
          </li>
        );
      })}
    </ul>
  );
}
