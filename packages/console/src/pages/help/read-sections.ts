// Splits a page of docs/ at its headings, so that each section can be linked and found.

export interface HelpSection {
  /** The anchor, as on GitHub. */
  id: string
  heading: string
  /** 1 for the title of the page. */
  level: number
  /** Markdown, without the heading. */
  text: string
}

export function readSections(markdown: string): HelpSection[] {
  const sections: HelpSection[] = []
  let isCode = false
  for (const line of markdown.replaceAll(/<!--[\s\S]*?-->\n?/g, '').split('\n')) {
    if (/^ *```/.test(line)) isCode = !isCode
    const [, marks, heading] = (!isCode && /^(#{1,6}) (.+)/.exec(line)) || []
    const last = sections.at(-1)
    if (marks !== undefined && heading !== undefined)
      sections.push({
        id: makeId(heading, sections),
        heading: heading.replaceAll(/[`*]/g, ''),
        level: marks.length,
        text: '',
      })
    else if (last) last.text += `${line}\n`
  }
  return sections
}

function makeId(heading: string, before: readonly HelpSection[]): string {
  const id = heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
  const same = before.filter((section) => section.id === id || section.id.replace(/-\d+$/, '') === id).length
  return same === 0 ? id : `${id}-${same}`
}

/** The words of Markdown, without its marks. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(/^ *```.*$/gm, '')
    .replaceAll(/^[\s|:-]+$/gm, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
