// A device's latest report about itself, besides the models that it serves. Each report replaces the one before, so that a report somebody
// holds never changes.

import type { DeviceBackend, DeviceFrame, Download, Energy, Library, Rest, SharedModel } from '@hearth/protocol'
import { dropUnprintableInside } from '../../text/printable.ts'
import { printableDownloads, printableLibrary, printableShared } from './printable-report.ts'

export interface DeviceReport {
  readonly downloads: readonly Download[]
  /** Where the device's models compute; undefined until it says so, which older devices never do. */
  readonly backend: DeviceBackend | undefined
  /** Why it takes no jobs for now; undefined if it takes some, or doesn't say. */
  readonly rest: Rest | undefined
  /** The electricity that the machine takes; undefined if it can't measure any, or doesn't say. */
  readonly energy: Energy | undefined
  /** The models on the device's disk; undefined until it says so, which older devices never do. */
  readonly library: Library | undefined
  /** The models that the device gives to others of its organization; none on older devices. */
  readonly shared: readonly SharedModel[]
}

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
