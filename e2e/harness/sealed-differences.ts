// Runs in front of every end-to-end test file. With HEARTH_TEST_SEALED=1, clients go through hearth-seal, and these tests of the API are left
// out: the difference is meant.

import { beforeEach } from 'vitest'

const PAGES = 'pages cannot use hearth-seal: the key of whoever runs it is behind it'

/** Reasons, by the ids in the titles. */
const MEANT: Readonly<Record<string, string>> = {
  A12a: PAGES,
  A12b: PAGES,
  K104: PAGES,
}

if (process.env['HEARTH_TEST_SEALED'] === '1')
  beforeEach(({ task, skip }) => {
    const ids = [...task.name.matchAll(/\[(\w+)\]/g)].map(([, id = '']) => id)
    const reason = ids.map((id) => MEANT[id]).find((each) => each !== undefined)
    if (reason !== undefined) skip(reason)
  })
