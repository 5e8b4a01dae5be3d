const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrome\/|\bCriOS\/|\bChromium\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

const first = (list: readonly [RegExp, string][], text: string) => list.find(([mark]) => mark.test(text))?.[1]

/** Returns the names of the browser and the operating system in a User-Agent header, for the list of sessions. */
export function nameDevice(userAgent: string | null): string {
  const text = userAgent ?? ''
  const browser = first(BROWSERS, text)
  const system = first(SYSTEMS, text)
  if (browser) return system ? `${browser} on ${system}` : browser
  const program = /^[\w.-]{1,40}/.exec(text)?.[0]
  return program ? `A program (${program})` : 'An unknown device'
}
