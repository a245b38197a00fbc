import { join } from 'node:path'
import { quoteIfNeeded } from '@hearth/command-line/terminal/quote'
import { expect, it } from 'vitest'
import { OWN_PROGRAM } from '../installed/installed-command.ts'
import { startLine } from './find-instance.ts'
import { describeRest } from './not-running.ts'

const OTHER = '/srv/other'

it.each([
  ['its own folder', { folder: join(OWN_PROGRAM, 'data') }, 'hearth start'],
  ['another folder', { folder: '/srv/data' }, 'hearth start --data /srv/data'],
  ['another checkout', { folder: `${OTHER}/data`, program: OTHER }, `${OTHER}/node_modules/.bin/hearth start`],
  [
    "another checkout's program, and another folder",
    { folder: join(OWN_PROGRAM, 'data'), program: OTHER },
    `${OTHER}/node_modules/.bin/hearth start --data ${quoteIfNeeded(join(OWN_PROGRAM, 'data'))}`,
  ],
  [
    'a service',
    { folder: '/var/lib/hearth', unit: 'hearth-gateway.service' },
    'systemctl start hearth-gateway.service',
  ],
])('a stopped Hearth is started again by the program that ran it: %s', (_title, instance, line) => {
  expect(startLine(instance)).toBe(line)
})

it('about a folder that somebody named, nothing is said of others', () => {
  expect(describeRest(undefined, '/nonexistent')).toBe(
    'No Hearth in /nonexistent. To start one there: hearth start --data /nonexistent',
  )
})
