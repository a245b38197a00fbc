// String formats, each as a pattern. A pattern is stricter than its standard where that makes it simpler.

const MONTH_AND_DAY =
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))'
const DATE = `(?:1[0-9]|20)[0-9]{2}-${MONTH_AND_DAY}`
const CLOCK = '(?:[01][0-9]|2[0-3]):[0-5][0-9]'
const TIME = `${CLOCK}:[0-5][0-9](?:\\.[0-9]{1,6})?(?:Z|[+-]${CLOCK})`
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?'
const HOST = `${LABEL}(?:\\.${LABEL}){1,4}`
const BYTE = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
const GROUP = '[0-9a-f]{1,4}'

const FORMATS: Readonly<Record<string, string>> = {
  date: DATE,
  time: TIME,
  'date-time': `${DATE}T${TIME}`,
  duration: 'P(?:[1-9][0-9]{0,3}D(?:T[1-9][0-9]{0,3}[HMS])?|T[1-9][0-9]{0,3}[HMS]|[1-9][0-9]{0,3}[YMW])',
  uuid: '[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}',
  email: `[a-zA-Z0-9_](?:[a-zA-Z0-9_+-]|\\.[a-zA-Z0-9_+-]){0,40}@${HOST}`,
  hostname: HOST,
  ipv4: `${BYTE}(?:\\.${BYTE}){3}`,
  ipv6: `${GROUP}(?::${GROUP}){7}`,
  uri: `https?://${HOST}(?:/[a-zA-Z0-9_~.-]{0,64}){0,16}`,
}

/** Formats in the standard that can't be enforced. Any other unknown name is just an annotation. */
const REJECTED = new Set([
  'idn-email',
  'idn-hostname',
  'uri-reference',
  'uri-template',
  'iri',
  'iri-reference',
  'json-pointer',
  'relative-json-pointer',
  'regex',
])

export function isRejectedFormat(format: unknown): boolean {
  return typeof format === 'string' && REJECTED.has(format)
}

/** Undefined if the format is not enforced. */
export function formatPattern(format: unknown): string | undefined {
  return typeof format === 'string' && Object.hasOwn(FORMATS, format) ? `^(?:${FORMATS[format]!})$` : undefined
}
