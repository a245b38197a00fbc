// `hearth logs`: the last lines of the gateway and the device.

import { printLog, splitLogLine, type LogOptions } from '@hearth/device'
import { readableLine } from '../supervise/readable-line.ts'
import { logPath } from '../terminal/log-path.ts'
import { findInstance } from './find-instance.ts'
import { describeRest } from './not-running.ts'

export async function showLogs(data: string | undefined, options: LogOptions): Promise<number> {
  const found = findInstance({ data, environment: process.env })
  if (found === undefined) throw new Error(describeRest(undefined, data))
  const { kind, unit } = found.instance
  if (kind === 'gateway')
    throw new Error(
      `This gateway was started on its own, and its log is where it was started${unit === undefined ? '' : `. To see it: journalctl --unit ${unit}`}`,
    )
  await printLog(logPath(found.instance.folder), options, (line) => {
    const parts = splitLogLine(line)
    console.log(parts === undefined ? line : `${parts.time} ${parts.label}: ${readableLine(parts.text)}`)
  })
  return 0
}
