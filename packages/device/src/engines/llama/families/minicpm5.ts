// MiniCPM5: XML, with text that looks like XML in a CDATA section.

import type { Family } from './family.ts'

const wrapper = { open: '<![CDATA[', close: ']]>' }

export const MINICPM5: Family = {
  name: 'MiniCPM5',
  has: ['<![CDATA[', '<param name="'],
  adapt: (learned) => (learned.tags === undefined ? learned : { ...learned, tags: { ...learned.tags, wrapper } }),
}
