import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MOST_LEVELS, MOST_NODES, type MarkdownNode } from './markdown-tree.ts'
import { MOST_CHARACTERS, parseMarkdown, type MarkdownBlock } from './parse-markdown.ts'

interface Size {
  nodes: number
  levels: number
}

/** Without recursion, so that a tree that is too deep is counted and doesn't end the test. */
function sizeOf(blocks: readonly MarkdownBlock[]): Size {
  let nodes = 0
  let levels = 0
  let level: MarkdownNode[] = blocks.flatMap((block) => block.nodes ?? [])
  for (; level.length > 0; levels += 1) {
    nodes += level.length
    level = level.flatMap((node) => (typeof node === 'object' && 'children' in node ? node.children : []))
  }
  return { nodes, levels }
}

function expectBounds(blocks: readonly MarkdownBlock[]): void {
  const { nodes, levels } = sizeOf(blocks)
  expect(nodes).toBeLessThanOrEqual(MOST_NODES)
  expect(levels).toBeLessThanOrEqual(MOST_LEVELS + 2)
}

/** What people can read. */
function textOf(blocks: readonly MarkdownBlock[]): string {
  return blocks.map(({ source, nodes }) => nodes?.map(textOfNode).join('') ?? source).join('\n')
}

function textOfNode(node: MarkdownNode): string {
  if (typeof node === 'string') return node
  if ('children' in node) return node.children.map(textOfNode).join('')
  switch (node.kind) {
    case 'image':
      return `${node.alt} ${node.address}`
    case 'code':
      return node.text
    case 'code-block':
      return `${node.language ?? ''} ${node.text}`
    case 'formula':
      return node.tex
    case 'check':
      return ''
    default:
      return node satisfies never
  }
}

const tree = (text: string) => parseMarkdown(text).flatMap(({ nodes }) => nodes)
const element = (tag: string, ...children: MarkdownNode[]): MarkdownNode => ({ kind: 'element', tag, children })

describe('Markdown', () => {
  it.each<[string, MarkdownNode[]]>([
    ['# a *b*', [element('h1', 'a ', element('em', 'b'))]],
    ['a\nb  \nc', [element('p', 'a', '\n', 'b', element('br'), 'c')]],
    ['- a\n- b', [element('ul', element('li', 'a'), element('li', 'b'))]],
    ['3. a', [{ kind: 'element', tag: 'ol', start: 3, children: [element('li', 'a')] }]],
    ['> a\n\n---', [element('blockquote', element('p', 'a')), element('hr')]],
    ['`a` ~~b~~', [element('p', { kind: 'code', text: 'a' }, ' ', element('s', 'b'))]],
    ['```js x\na\n```', [{ kind: 'code-block', text: 'a', language: 'js' }]],
    ['<b>a</b> &amp;', [element('p', '<b>a</b> &')]],
    ['![a `b`](c.png)', [element('p', { kind: 'image', address: 'c.png', alt: 'a b' })]],
    ['[a](javascript:b)', [element('p', { kind: 'link', address: 'javascript:b', children: ['a'] })]],
    ['[a]\n\n[a]: /b', [element('p', { kind: 'link', address: '/b', children: ['a'] })]],
    ['$|a|$', [element('p', { kind: 'formula', tex: '|a|', isDisplay: false, source: '$|a|$' })]],
    ['a\uE000b', [element('p', 'a\uE000b')]],
  ])('of %j is read', (text, nodes) => {
    expect(tree(text)).toStrictEqual(nodes)
  })

  it('links web addresses, but no names of files or mail addresses', () => {
    const addresses = (text: string) => JSON.stringify(tree(text)).match(/(?<="address":")[^"]*/g)
    expect(addresses('see https://a.example/b_c_d, and www.a.example.')).toEqual([
      'https://a.example/b_c_d',
      'http://www.a.example',
    ])
    expect(addresses('read.me, a@b.example, //a.example, ftp://a.example')).toBeNull()
  })

  it('of tables keeps formulas with bars in one cell', () => {
    const [table] = tree('| a | b |\n|--|-:|\n| $|x|$ | `c` |')
    const cell = {
      kind: 'element',
      tag: 'td',
      children: [{ kind: 'formula', tex: '|x|', isDisplay: false, source: '$|x|$' }],
    }
    expect(JSON.stringify(table)).toContain(JSON.stringify(cell))
    expect(JSON.stringify(table)).toContain('"tag":"td","align":"right"')
  })

  it('of lists has check boxes', () => {
    const done = element('li', { kind: 'check', isDone: true }, ' a')
    const other = element('li', { kind: 'check', isDone: false }, ' ', element('em', 'b'))
    expect(tree('- [x] a\n- [ ] *b*')).toStrictEqual([{ ...(element('ul', done, other) as object), isTasks: true }])
  })

  it('has footnotes where they stand, and leaves names without a note', () => {
    expect(tree('a[^1] [^2]\n\n[^1]: b\n[^n]: c')).toStrictEqual([
      element('p', 'a', element('sup', '1'), ' [^2]'),
      element('p', element('sup', '1'), ' b'),
      element('p', element('sup', 'n'), ' c'),
    ])
  })
})

const times = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join('')

/** What ended a tab, held it for seconds, or made parsers slow. */
const HOSTILE: Record<string, string> = {
  'list markers': `${'- '.repeat(700)}x`,
  'more list markers': `${'- '.repeat(45_000)}x`,
  'numbers of lists': `${'1. '.repeat(30_000)}x`,
  'nested lists': times(300, (level) => `${'  '.repeat(level)}- a\n`),
  quotes: `${'>'.repeat(90_000)}x`,
  'mixed quotes and lists': `${'> - '.repeat(20_000)}x`,
  brackets: `${'['.repeat(45_000)}a${']'.repeat(45_000)}`,
  'begun links': '[a]('.repeat(20_000),
  'begun images': '![a]('.repeat(18_000),
  'nested emphasis': `${'*'.repeat(45_000)}a${'*'.repeat(45_000)}`,
  'mixed emphasis': '*a_ '.repeat(22_000),
  backticks: times(400, (length) => `${'`'.repeat(length)} `),
  'begun formulas': '\\('.repeat(45_000),
  'begun display formulas': '\\[\n'.repeat(30_000),
  dollars: '$x '.repeat(30_000),
  'small formulas': '$x$ '.repeat(22_000),
  'a wide and long table': `${'|a'.repeat(200)}|\n${'|-'.repeat(200)}|\n${'|\n'.repeat(40_000)}`,
  'blocks of code': '```\n```\n'.repeat(12_000),
  paragraphs: 'a\n\n'.repeat(30_000),
  'inline code': '`a` '.repeat(22_000),
  'web addresses': 'http://a.b '.repeat(9_000),
  'begun HTML': '<a <!-- '.repeat(12_000),
  footnotes: times(5_000, (index) => `[^${index}]: a[^${index}]\n`),
  definitions: times(6_000, (index) => `[a${index}]: /b\n`),
  'many definitions in use': `[a]: /b\n\n${'[a] '.repeat(22_000)}`,
}

describe('hostile Markdown', () => {
  it.each(Object.entries(HOSTILE))('such as %s becomes a small and shallow tree', (_, text) => {
    expectBounds(parseMarkdown(text))
  })

  it('that is too deep, too large or too long stays plain text, and what comes before it does not', () => {
    const deep = `${'- '.repeat(700)}x`
    expect(parseMarkdown(`*a*\n\n${deep}\n\n*b*`)).toStrictEqual([
      { source: '*a*', definitions: 0, nodes: [element('p', element('em', 'a'))] },
      { source: `${deep}\n\n*b*`, definitions: 0 },
    ])
    const large = 'a\n\n'.repeat(MOST_NODES)
    const blocks = parseMarkdown(`*a*\n\n${large}`)
    expect(blocks[0]).toMatchObject({ nodes: [{}] })
    expect(blocks.at(-1)!.nodes).toBeUndefined()
    expect(textOf(blocks).replaceAll('\n', '')).toBe(`a${large}`.replaceAll('\n', ''))
    const long = 'word '.repeat(MOST_CHARACTERS)
    expect(textOf(parseMarkdown(long)).replaceAll(/\s/g, '')).toBe(long.replaceAll(' ', ''))
  })

  const scrap = fc.oneof(
    fc.constantFrom('- ', '1. ', '> ', '# ', '    ', '\t', '\n', '\n\n', '  \n', '* ', '+ ', '---', '==='),
    fc.constantFrom('*', '**', '_', '~~', '`', '```', '~~~', '\\', '&amp;', '&#', '<', '>', '<!--', '<b>', '</b>'),
    fc.constantFrom('[', ']', '(', ')', '![', '[a]: b', '[^1]', '[^1]: ', '[x] ', 'http://', 'www.', '@', ':', '"'),
    fc.constantFrom(
      '|',
      '|-',
      '-|',
      ':-:',
      '$',
      '$$',
      '\\(',
      '\\)',
      '\\[',
      '\\]',
      '\uE000',
      '\uE001',
      '\0',
      '\r\n',
      '\u202E',
    ),
    fc.constantFrom('a', 'word', ' ', '1', 'é', '😀', '\uD800'),
  )
  const repeated = fc
    .tuple(fc.array(scrap, { minLength: 1, maxLength: 6 }), fc.nat(3_000))
    .map(([some, count]) => some.join('').repeat(count))
  const hostile = fc.array(fc.oneof(scrap, scrap, scrap, repeated), { maxLength: 30 }).map((pieces) => pieces.join(''))

  it('of any kind becomes a small and shallow tree', () => {
    fc.assert(
      fc.property(hostile, (text) => expectBounds(parseMarkdown(text.slice(0, 2 * MOST_CHARACTERS)))),
      { numRuns: 60 },
    )
  })

  // Words in everything that shows text, nested at random.
  let count = 0
  const word = fc.constant('').map(() => `w${++count}w`)
  const inline = fc.letrec<{ inline: string }>((tie) => ({
    inline: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      word,
      word.map((text) => `\`${text}\``),
      word.map((text) => `$${text}$`),
      word.map((text) => `<b>${text}</b>`),
      word.map((text) => `![${text}](${text})`),
      tie('inline').map((text) => `*${text}*`),
      tie('inline').map((text) => `**${text}**`),
      tie('inline').map((text) => `~~${text}~~`),
      tie('inline').map((text) => `[${text}](/url)`),
      fc.array(tie('inline'), { minLength: 1, maxLength: 3 }).map((texts) => texts.join(' ')),
    ),
  })).inline
  const indent = (text: string, by: string) => text.replaceAll('\n', `\n${by}`)
  const block = fc.letrec<{ block: string }>((tie) => ({
    block: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      inline,
      inline.map((text) => `# ${text}`),
      word.map((text) => `\`\`\`${text}\n${text}\n\n- ${text}\n\`\`\``),
      word.map((text) => `\\[\n${text}\n\\]`),
      fc.tuple(inline, inline, inline, inline).map(([a, b, c, d]) => `| ${a} | ${b} |\n|--|:-:|\n| ${c} | ${d} |`),
      tie('block').map((text) => `- ${indent(text, '  ')}`),
      tie('block').map((text) => `1. ${indent(text, '   ')}`),
      tie('block').map((text) => `> ${indent(text, '> ')}`),
      fc.array(tie('block'), { minLength: 1, maxLength: 4 }).map((texts) => texts.join('\n\n')),
    ),
  })).block

  it('loses no words, however it is nested', () => {
    fc.assert(
      fc.property(block, fc.nat(60), (text, levels) => {
        const nested = Array.from({ length: levels }).reduce<string>((inner) => `- ${indent(inner, '  ')}`, text)
        const blocks = parseMarkdown(nested)
        expectBounds(blocks)
        const shown = textOf(blocks)
        expect((nested.match(/w\d+w/g) ?? []).filter((found) => !shown.includes(found))).toEqual([])
      }),
    )
  })
})
