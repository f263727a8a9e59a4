import type { Hint } from "../bus.ts";
import { writeKeyId, type LocationKeyId } from "../location-key.ts";

/** The version of the messages between controllers and probes. A location is asked only for a version that it lists. */
export const VERSION = 1;
/** The probes of a location share its jobs. */
export const QUEUE = "probe";

export const PRESENCE_ASK = "presence.ask";
export const ALL_PRESENCE = "presence.at.>";

export function hintSubject(hint: Hint): string {
  return `hint.${hint}`;
}

/** Names the key that the job is sealed with, so that it reaches no probe that cannot open it. */
export function jobSubject(location: string, key: LocationKeyId): string {
  return `job.${location}.v${VERSION}-${writeKeyId(key)}`;
}

export function presenceSubject(location: string): string {
  return `presence.at.${location}`;
}

/** Names the location, so that the server's permissions decide who answers for it. */
export function replySubject(location: string, controller: string, id: string): string {
  return `${repliesOf(location)}${controller}.${id}`;
}

/** Returns the subject prefix of all replies of a location. */
export function repliesOf(location: string): string {
  return `reply.${location}.c.`;
}

export function lastPartOf(subject: string): string {
  return subject.slice(subject.lastIndexOf(".") + 1);
}

/** Context that binds a question and its answer to one request and direction. */
export function questionContext(reply: string): string {
  return `question ${reply}`;
}

export function answerContext(reply: string): string {
  return `answer ${reply}`;
}

export function beatContext(location: string): string {
  return `presence ${location}`;
}
