import { describe, expect, it } from 'vitest'
import { splitBlocks } from './split-blocks.ts'

const LONG = `# Title

A paragraph
of two lines.

- one

- two

  still two

1. first

2. second

> quoted

\`\`\`ts
const a = 1

const b = '~~~'
\`\`\`

~~~
\`\`\`

inside
~~~

| a | b |
|---|---|
| 1 | 2 |

The end`

describe('splitBlocks', () => {
  it('preserves the text', () => {
    for (const text of ['', '\n', 'a', 'a\n\n', '\n\na\n\n\n\nb\n', LONG])
      expect(splitBlocks(text).join('\n')).toBe(text)
  })

  it('keeps lists and fenced code in one block', () => {
    expect(splitBlocks(LONG).map((block) => block.split('\n', 1)[0])).toEqual([
      '# Title',
      'A paragraph',
      '```ts',
      '~~~',
      '| a | b |',
      'The end',
    ])
  })

  it('changes only the last two blocks while a text grows, because the number of a list item may still become a word', () => {
    let before: string[] = []
    for (let end = 1; end <= LONG.length; end += 1) {
      const blocks = splitBlocks(LONG.slice(0, end))
      const stable = before.slice(0, -2)
      expect(blocks.slice(0, stable.length)).toEqual(stable)
      before = blocks
    }
  })
})
