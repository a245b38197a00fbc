// Splits Markdown into blocks that render separately. Only the end of a growing response changes, so a long response costs no more per frame
// than a short one.

const FENCE = /^ {0,3}(`{3,}|~{3,})/
/** Lines that may continue the block before a blank line: list items, indented text, quotes. */
const GOES_ON = /^(\s|[-*+](\s|$)|\d{1,9}[.)](\s|$)|>)/

/** Joining the blocks with line breaks restores the text. */
export function splitBlocks(text: string): string[] {
  let block: string[] = []
  const blocks = [block]
  let fence: string | undefined
  let isAfterBlank = false
  for (const line of text.split('\n')) {
    if (isAfterBlank && fence === undefined && line !== '' && !GOES_ON.test(line)) {
      block = []
      blocks.push(block)
    }
    block.push(line)
    isAfterBlank = line.trim() === ''
    fence = fenceAfter(fence, line)
  }
  return blocks.map((lines) => lines.join('\n'))
}

/** The code fence that is open after this line. */
function fenceAfter(fence: string | undefined, line: string): string | undefined {
  const [, marks] = FENCE.exec(line) ?? []
  if (marks === undefined) return fence
  if (fence === undefined) return marks
  const isEnd = marks[0] === fence[0] && marks.length >= fence.length && line.trim() === marks
  return isEnd ? undefined : fence
}
