// Says in words which browser a user agent belongs to. Most name several: the first match counts.

const BROWSERS = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const

const SYSTEMS = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
] as const

/** "Firefox on Linux" */
export function describeBrowser(userAgent: string): string {
  const browser = find(BROWSERS, userAgent) ?? (/^[\w.-]+/.exec(userAgent)?.[0] || 'Unknown browser')
  const system = find(SYSTEMS, userAgent)
  return system === undefined ? browser : `${browser} on ${system}`
}

function find(names: readonly (readonly [RegExp, string])[], text: string): string | undefined {
  return names.find(([pattern]) => pattern.test(text))?.[1]
}
