// String formats, each as a pattern of its RFC. Where the RFC needs more than a pattern, the
// pattern is stricter.

const LEAP_YEAR = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)'
const MONTH_AND_DAY =
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))'
const DATE = `(?:[0-9]{4}-${MONTH_AND_DAY}|${LEAP_YEAR}-02-29)`
const CLOCK = '(?:[01][0-9]|2[0-3]):[0-5][0-9]'
const FRACTION = '(?:\\.[0-9]{1,9})?'
const TIME = `(?:${CLOCK}:[0-5][0-9]${FRACTION}(?:[Zz]|[+-]${CLOCK})|23:59:60${FRACTION}[Zz])`

// RFC 3339, appendix A: units from large to small, without gaps.
const SECONDS = '[0-9]{1,9}S'
const MINUTES = `[0-9]{1,9}M(?:${SECONDS})?`
const HOURS = `[0-9]{1,9}H(?:${MINUTES})?`
const CLOCK_TIME = `T(?:${HOURS}|${MINUTES}|${SECONDS})`
const DAYS = '[0-9]{1,9}D'
const MONTHS = `[0-9]{1,9}M(?:${DAYS})?`
const YEARS = `[0-9]{1,9}Y(?:${MONTHS})?`
const DURATION = `P(?:(?:${DAYS}|${MONTHS}|${YEARS})(?:${CLOCK_TIME})?|${CLOCK_TIME}|[0-9]{1,9}W)`

// A host has at most 63 characters here, so that its labels never have more. Two hyphens in a row
// would need a look into Punycode.
const LABEL = '[a-zA-Z0-9](?:-?[a-zA-Z0-9])*'
const HOST = `${LABEL}(?:\\.${LABEL})*`
const ATOM = "[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+"
const WIDE_ATOM = "[a-zA-Z0-9!#$%&'*+/=?^_`{|}~\\u00a1-\\ud7ff\\uf900-\\uffef-]+"
const mailbox = (atom: string) => `(?=[^@]{1,64}@.{1,63}$)${atom}(?:\\.${atom})*@${LABEL}(?:\\.${LABEL})+`

const BYTE = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
const IPV4 = `${BYTE}(?:\\.${BYTE}){3}`
const GROUP = '[0-9a-fA-F]{1,4}'
const LAST = `(?:${GROUP}:${GROUP}|${IPV4})`
const IPV6 = [
  `(?:${GROUP}:){6}${LAST}`,
  `::(?:${GROUP}:){5}${LAST}`,
  `(?:${GROUP})?::(?:${GROUP}:){4}${LAST}`,
  ...[1, 2, 3].map((before) => `(?:(?:${GROUP}:){0,${before}}${GROUP})?::(?:${GROUP}:){${4 - before}}${LAST}`),
  `(?:(?:${GROUP}:){0,4}${GROUP})?::${LAST}`,
  `(?:(?:${GROUP}:){0,5}${GROUP})?::${GROUP}`,
  `(?:(?:${GROUP}:){0,6}${GROUP})?::`,
].join('|')

// RFC 3986; RFC 3987 allows more letters.
const BEYOND = '\\u00a0-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\uffef'
const PERCENT = '%[0-9a-fA-F]{2}'
const characters = (more: string, others: string) => `(?:[a-zA-Z0-9._~!$&'()*+,;=${others}${more}-]|${PERCENT})`

function address(more: string, isRelative: boolean): string {
  const segment = `${characters(more, ':@')}*`
  const authority = `(?:${characters(more, ':')}*@)?(?:\\[(?:${IPV6})\\]|${characters(more, '')}*)(?::[0-9]*)?`
  const rooted = `//${authority}(?:/${segment})*|/(?:${characters(more, ':@')}+(?:/${segment})*)?`
  const rootless = `${characters(more, ':@')}+(?:/${segment})*`
  const noScheme = `${characters(more, '@')}+(?:/${segment})*`
  const query = `(?:\\?(?:${characters(more, ':@/?')})*)?(?:#(?:${characters(more, ':@/?')})*)?`
  const absolute = `[a-zA-Z][a-zA-Z0-9+.-]*:(?:${rooted}|${rootless})?${query}`
  return isRelative ? `${absolute}|(?:${rooted}|${noScheme})?${query}` : absolute
}

const POINTER = '(?:/(?:[^~/]|~[01])*)*'
const VARIABLE = `(?:[a-zA-Z0-9_]|${PERCENT})(?:\\.?(?:[a-zA-Z0-9_]|${PERCENT}))*(?::[1-9][0-9]{0,3}|\\*)?`
const TEMPLATE = `(?:[^\\u0000-\\u0020"'%<>\\\\^\`{|}\\u007f]|${PERCENT}|\\{[+#./;?&]?${VARIABLE}(?:,${VARIABLE})*\\})*`

/** Regular expressions with groups up to two levels deep. */
function expression(depth: number): string {
  const escape = '\\\\[dDwWsSbBnrtfv^$.*+?()[\\]{}|/\\\\]'
  const inClass = `(?:[a-zA-Z0-9 _.,:;@#%&!~<>="'*+?(){}|/$]|0-9|a-z|A-Z|\\\\[dDwWsSnrtfv^$.*+?()[\\]{}|/\\\\-])`
  const atom = `(?:[a-zA-Z0-9 _,:;@#%&!~<>="'/.-]|${escape}|\\[\\^?${inClass}+\\]${depth > 0 ? `|\\((?:\\?:)?${expression(depth - 1)}\\)` : ''})`
  const counted = `${atom}(?:(?:[*+?]|\\{[1-9][0-9]{0,2},?\\})\\??)?`
  const sequence = `(?:\\^?(?:${counted})*\\$?)`
  return `${sequence}(?:\\|${sequence})*`
}

const FORMATS: Readonly<Record<string, string>> = {
  date: DATE,
  time: TIME,
  'date-time': `${DATE}[Tt]${TIME}`,
  duration: DURATION,
  uuid: '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}',
  email: mailbox(ATOM),
  'idn-email': mailbox(WIDE_ATOM),
  hostname: `(?=.{1,63}$)${HOST}`,
  'idn-hostname': `(?=.{1,63}$)${HOST}`,
  ipv4: IPV4,
  ipv6: IPV6,
  uri: address('', false),
  'uri-reference': address('', true),
  iri: address(BEYOND, false),
  'iri-reference': address(BEYOND, true),
  'uri-template': TEMPLATE,
  'json-pointer': POINTER,
  'relative-json-pointer': `(?:0|[1-9][0-9]{0,8})(?:#|${POINTER})`,
  regex: expression(2),
}

export const FORMAT_NAMES: readonly string[] = Object.keys(FORMATS)

/** Undefined if the format is not enforced. */
export function formatPattern(format: unknown): string | undefined {
  const pattern = typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
  return pattern && `^(?:${pattern})$`
}

/** Whose pattern has all their texts. */
const EXACT: ReadonlySet<unknown> = new Set(['date', 'uuid', 'ipv4', 'ipv6'])

const NO_ADDRESS = ' "<>\\\\^`|'

/** What all texts of the other formats match, however generously they are read. */
const AT_LEAST: Readonly<Record<string, string>> = {
  time: ':',
  'date-time': ':',
  duration: '^P',
  email: '@',
  'idn-email': '@',
  hostname: '^[a-zA-Z0-9._-]*$',
  'idn-hostname': '^[^ ]*$',
  uri: ':',
  'uri-reference': `^[^${NO_ADDRESS}]*$`,
  iri: ':',
  'iri-reference': `^[^${NO_ADDRESS}]*$`,
  'uri-template': `^[^${NO_ADDRESS}]*$`,
  'json-pointer': '^(?:$|/)',
  'relative-json-pointer': '^[0-9]',
  regex: '^(?:$|[^)])',
}

/** Texts that don't match this are not of the format. Undefined if the format is not enforced. */
export function widerFormat(format: unknown): string | undefined {
  if (EXACT.has(format)) return formatPattern(format)
  return typeof format === 'string' && Object.hasOwn(AT_LEAST, format) ? AT_LEAST[format] : undefined
}

const SIMPLE = "(?:[a-zA-Z0-9._~!$&'()*+,;=:@/-]|%[0-9a-fA-F]{2})*"
const SIMPLE_URI = `[a-zA-Z][a-zA-Z0-9+.-]{1,15}://[a-zA-Z0-9.-]+(?::[0-9]{1,5})?(?:/${SIMPLE})?(?:\\?${SIMPLE})?(?:#${SIMPLE})?`

/** A shorter pattern with some of the texts of a format, if there is one. */
export function simplerFormat(format: unknown): string | undefined {
  return typeof format === 'string' && /^[iu]ri(-reference)?$/.test(format) ? `^${SIMPLE_URI}$` : undefined
}
