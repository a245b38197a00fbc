// Draws a tree of calls as a flame graph: an SVG without scripts that any browser opens. Each box is a function, as wide as the time it took
// with everything it called; what it called stands on top of it. Hover over a box for its full name and its share.

import type { Call } from './costs.ts'

const WIDTH = 1_600
const ROW = 17
const MARGIN = 10
const CHARACTER = 6.4
/** Narrower boxes cannot be seen. */
const NARROWEST = 0.4

interface Box {
  call: Call
  x: number
  width: number
  depth: number
}

export function drawFlameGraph(root: Call, title: string): string {
  const boxes = layOut(root)
  const rows = Math.max(...boxes.map(({ depth }) => depth)) + 1
  const height = 2 * MARGIN + (rows + 1) * ROW
  const shapes = boxes.map((box) => drawBox(box, height - MARGIN - (box.depth + 1) * ROW, root.micros))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="11">
<rect width="100%" height="100%" fill="#fff"/>
<text x="${MARGIN}" y="${MARGIN + 10}">${escape(title)}</text>
${shapes.join('\n')}
</svg>
`
}

function layOut(root: Call): Box[] {
  const scale = (WIDTH - 2 * MARGIN) / root.micros
  const boxes: Box[] = []
  const place = (call: Call, x: number, depth: number): void => {
    const width = call.micros * scale
    if (width < NARROWEST) return
    boxes.push({ call, x, width, depth })
    let left = x
    for (const child of call.children.toSorted((a, b) => a.name.localeCompare(b.name))) {
      place(child, left, depth + 1)
      left += child.micros * scale
    }
  }
  place(root, MARGIN, 0)
  return boxes
}

function drawBox({ call: { name, micros }, x, width }: Box, y: number, all: number): string {
  const label = name.slice(0, Math.max(0, Math.floor((width - 4) / CHARACTER)))
  const about = `${name}: ${((100 * micros) / all).toFixed(2)} %`
  const shape = `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${colorOf(name)}"/>`
  const text = label.length < 3 ? '' : `<text x="${(x + 2).toFixed(1)}" y="${y + 12}">${escape(label)}</text>`
  return `<g><title>${escape(about)}</title>${shape}${text}</g>`
}

/** Our own code is orange, Node's yellow, the engine's own work gray. */
function colorOf(name: string): string {
  if (name.startsWith('(')) return '#d9d9d9'
  return /\.ts:\d+$/.test(name) ? '#f4a261' : '#ffe08a'
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
