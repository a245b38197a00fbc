// Makes llama.cpp's renderer print values the way Python does. `{{ value }}` leaves out null and
// objects there, but the filter `string` writes them as Python would, so every value is printed
// through it.

const QUOTED = /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'/.source
const COMMENT = /\{#[^]*?#\}/.source
const STATEMENT = `\\{%(?:${QUOTED}|(?!%\\})[^"'])*%\\}`
const PRINT = `\\{\\{(?<open>[-+]?)(?<value>(?:${QUOTED}|(?!-?\\}\\})[^"'])*)(?<close>-?)\\}\\}`
const PARTS = new RegExp([COMMENT, STATEMENT, PRINT].join('|'), 'g')

export function printAsText(source: string): string {
  return source.replaceAll(PARTS, (whole, ...rest) => {
    const { open = '', value, close = '' } = rest.at(-1) as { open?: string; value?: string; close?: string }
    return value === undefined || value.trim() === '' ? whole : `{{${open} (${value.trim()}) | string ${close}}}`
  })
}
