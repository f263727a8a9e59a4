/** A browser and a system, as far as they show. */
export interface AgentName {
  readonly browser: string | undefined;
  readonly system: string | undefined;
}

/** Each before those that name it too. */
const browsers = [
  ["Edg", "Edge"],
  ["OPR", "Opera"],
  ["SamsungBrowser", "Samsung Internet"],
  ["Firefox", "Firefox"],
  ["FxiOS", "Firefox"],
  ["CriOS", "Chrome"],
  ["Chrome", "Chrome"],
  ["Safari", "Safari"],
] as const;
const systems = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
] as const;

/** Returns the parts of a User-Agent that a person recognizes. */
export function agentNameOf(agent: string): AgentName {
  return {
    browser: browsers.find(([token]) => agent.includes(`${token}/`))?.[1],
    system: systems.find(([token]) => agent.includes(token))?.[1],
  };
}
