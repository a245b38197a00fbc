// What a device says about itself while it is connected. Each report replaces the one before, so that a report somebody
// holds never changes.

import type { DeviceFrame } from '@hearth/protocol'
import { dropUnprintableInside } from '../../text/printable.ts'
import type { DeviceReport } from '../terms/fleet-view.ts'
import { printableDownloads, printableLibrary, printableShared } from './printable-report.ts'

/** The same for all devices: there may be ten thousand. */
export const NOTHING_REPORTED: DeviceReport = {
  downloads: [],
  backend: undefined,
  rest: undefined,
  energy: undefined,
  library: undefined,
  shared: [],
}

export type ReportFrame = Extract<
  DeviceFrame,
  { type: 'downloads' | 'backend' | 'rest' | 'energy' | 'library' | 'shared' }
>

/** The figures of a meter change all the time, and wait until someone looks. */
export function isNews(before: DeviceReport, after: DeviceReport): boolean {
  return after.energy === before.energy || after.energy === undefined || before.energy === undefined
}

export function addToReport(report: DeviceReport, frame: ReportFrame): DeviceReport {
  switch (frame.type) {
    case 'downloads':
      return { ...report, downloads: printableDownloads(frame.downloads) }
    case 'backend':
      return { ...report, backend: dropUnprintableInside(frame.backend) }
    case 'rest':
      return { ...report, rest: dropUnprintableInside(frame.rest) }
    case 'energy':
      return { ...report, energy: frame.energy }
    case 'library':
      return { ...report, library: printableLibrary(frame.library) }
    case 'shared':
      return { ...report, shared: printableShared(frame.models) }
    default:
      return frame satisfies never
  }
}
