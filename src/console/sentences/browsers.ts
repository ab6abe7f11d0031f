/** Names of browsers, from what they say they are. */

/** The first that fits: browsers also name those that they are built from. */
const BROWSERS = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:(?:Headless)?Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;
const SYSTEMS = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/** A browser and its system, such as `Firefox, Windows`; else the text itself. */
export function nameAgent(agent: string | null): string {
  if (agent === null || agent.trim() === '') return 'Unknown browser';
  const names = [BROWSERS, SYSTEMS].flatMap((all) => {
    return all.find(([pattern]) => pattern.test(agent))?.[1] ?? [];
  });
  return names.length === 0 ? agent : names.join(', ');
}
