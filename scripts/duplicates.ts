// Finds what is written twice: places that have the same lines, or lines of the same shape with
// other names, texts and numbers. Comments, imports and lone brackets don't count.

/** A run of so many lines is worth one function; of fewer, it is the language. */
const RUN = 6
/** Lines of a table say little each: a run with fewer names and values than this is a likeness, no copy. */
const LEAST_WORDS = 20
/** What stands in more places than this is how things are said here. */
const MOST_PLACES = 8

export interface Place {
  path: string
  /** From the first line of the run to the last. */
  lines: [from: number, to: number]
}

type Pair = [Place, Place]

interface Line {
  number: number
  shape: string
  words: number
}

/** For each two files, or each file with itself, the first run that both have. */
export function findDuplicates(sources: ReadonlyMap<string, string>): Pair[] {
  const pairs = new Map<string, Pair>()
  for (const places of placesByShape(sources).values())
    for (const [one, other] of pairsOf(places)) {
      const files = `${one.path} ${other.path}`
      if (!pairs.has(files)) pairs.set(files, [one, other])
    }
  return [...pairs.values()]
}

/** Of every run of lines that says enough. */
function placesByShape(sources: ReadonlyMap<string, string>): Map<string, Place[]> {
  const runs = new Map<string, Place[]>()
  for (const [path, text] of sources)
    for (const run of runsOf(shapesOf(text))) {
      const [first, last] = [run[0], run.at(-1)]
      if (!first || !last || run.reduce((sum, { words }) => sum + words, 0) < LEAST_WORDS) continue
      const shape = run.map((line) => line.shape).join('\n')
      const places = runs.get(shape) ?? []
      runs.set(shape, places)
      places.push({ path, lines: [first.number, last.number] })
    }
  return runs
}

function runsOf(lines: readonly Line[]): Line[][] {
  return lines.slice(RUN - 1).map((_, at) => lines.slice(at, at + RUN))
}

function pairsOf(places: readonly Place[]): Pair[] {
  if (places.length > MOST_PLACES) return []
  const pairs = places.flatMap((one, index) => places.slice(index + 1).map((other): Pair => [one, other]))
  return pairs.filter(([one, other]) => one.path !== other.path || other.lines[0] > one.lines[1])
}

function shapesOf(text: string): Line[] {
  const lines: Line[] = []
  let isImport = false
  for (const [index, line] of text.split('\n').entries()) {
    isImport ||= /^(import|export) (type )?\{$/.test(line)
    if (!isImport && !/^\s*(\/\/|\/?\*|import )|^[\s\W]*$/.test(line))
      lines.push({ number: index + 1, ...shapeOf(line) })
    if (isImport && line.startsWith('}')) isImport = false
  }
  return lines
}

const TEXT = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`/g
const WORD = /[#\w$]+/g
const KEYWORDS = new Set(
  `
async await break case catch class const continue default delete do else export extends finally
for from function get if implements in instanceof interface let new of private readonly return
satisfies set static super switch this throw try type typeof undefined void while yield
`
    .trim()
    .split(/\s+/),
)

function shapeOf(line: string): { shape: string; words: number } {
  let words = 0
  const shape = line
    .replaceAll(TEXT, '_')
    .replace(/ \/\/ .*/, '')
    .replaceAll(WORD, (word) => {
      if (KEYWORDS.has(word)) return `${word} `
      words += 1
      return '_'
    })
    .replaceAll(/\s+/g, '')
  return { shape, words }
}
