// Pages that people write can contain blocks that are printed from the code, between two comments:
//   <!-- printed: start-panel --> … <!-- printed: end -->

export type Blocks = Readonly<Record<string, string>>

const BLOCK = /^<!-- printed: (?!end)([a-z-]+) -->\n[^]*?^<!-- printed: end -->$/gm

/** Throws if the page names a block that doesn't exist. */
export function fillBlocks(text: string, blocks: Blocks): string {
  return text.replaceAll(BLOCK, (_, name: string) => {
    const block = blocks[name]
    if (block === undefined) throw new Error(`No block is called "${name}". Blocks: ${Object.keys(blocks).join(', ')}`)
    return `<!-- printed: ${name} -->\n\n${block}\n\n<!-- printed: end -->`
  })
}

export function blocksIn(text: string): string[] {
  return [...text.matchAll(BLOCK)].flatMap(([, name]) => name ?? [])
}
