// Cuts Markdown into blocks that can be shown each for itself. While an answer grows only its end changes, so a long answer costs no
// more per frame than a short one.

const FENCE = /^ {0,3}(`{3,}|~{3,})/
/** Lines that may belong to what stands before the blank line: parts of a list, indented text, a quotation. */
const GOES_ON = /^(\s|[-*+](\s|$)|\d{1,9}[.)](\s|$)|>)/

/** Joined with line breaks they are the text again. */
export function splitBlocks(text: string): string[] {
  const blocks: string[][] = [[]]
  let fence: string | undefined
  let isAfterBlank = false
  for (const line of text.split('\n')) {
    if (isAfterBlank && fence === undefined && line !== '' && !GOES_ON.test(line)) blocks.push([])
    blocks.at(-1)!.push(line)
    isAfterBlank = line.trim() === ''
    fence = fenceAfter(fence, line)
  }
  return blocks.map((lines) => lines.join('\n'))
}

/** The fence that is open behind this line. */
function fenceAfter(fence: string | undefined, line: string): string | undefined {
  const [, marks] = FENCE.exec(line) ?? []
  if (marks === undefined) return fence
  if (fence === undefined) return marks
  const isEnd = marks[0] === fence[0] && marks.length >= fence.length && line.trim() === marks
  return isEnd ? undefined : fence
}
