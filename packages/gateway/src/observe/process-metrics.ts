// The process itself, under the names that every Prometheus client uses, so that dashboards made for others show it too.

import { readdirSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openFilesLimit } from '@hearth/command-line/machine/open-files'
import { OWN_VERSION } from '../own-version.ts'
import { type Metrics, type Samples, addReadings, type Readings } from './metrics.ts'

const NANOSECONDS = 1e9
const MICROSECONDS = 1e6
const LOOK_MS = 10

type Lag = ReturnType<typeof monitorEventLoopDelay>

const SELF: Readings<NodeJS.Process> = {
  hearth_build_info: [
    '1, with the version of Hearth and of Node',
    ({ version }) => [[{ version: OWN_VERSION, node: version }, 1]],
  ],
  process_start_time_seconds: ['When the process started, in seconds since 1970', () => performance.timeOrigin / 1000],
  process_cpu_seconds_total: ['Processor time that the process took, its own and the system’s', readCpu],
  process_resident_memory_bytes: ['Resident memory of the process', ({ memoryUsage }) => memoryUsage.rss()],
  process_open_fds: ['Open file descriptors: connections, files and pipes; on Linux', countDescriptors],
  process_max_fds: ['Most file descriptors that the process may open; on Linux', mostDescriptors],
}

/** Between two looks at the page, so that a spike is seen once. The last one forgets. */
const LAG: Readings<Lag> = {
  nodejs_eventloop_lag_mean_seconds: [
    'Event loop delay, mean since the last scrape',
    ({ mean }) => (mean || 0) / NANOSECONDS,
  ],
  ...Object.fromEntries(
    [50, 90, 99].map((percent) => [
      `nodejs_eventloop_lag_p${percent}_seconds`,
      [
        `Event loop delay, ${percent}th percentile since the last scrape`,
        (lag: Lag) => lag.percentile(percent) / NANOSECONDS,
      ],
    ]),
  ),
  nodejs_eventloop_lag_max_seconds: ['Event loop delay, longest since the last scrape', takeLongest],
}

export function addProcessMetrics(metrics: Metrics): void {
  const lag = monitorEventLoopDelay({ resolution: LOOK_MS })
  lag.enable()
  addReadings(metrics, SELF, () => process)
  addReadings(metrics, LAG, () => lag)
}

function readCpu(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / MICROSECONDS
}

function takeLongest(lag: Lag): number {
  const seconds = lag.max / NANOSECONDS
  lag.reset()
  return seconds
}

/** Without the one that the look itself opens. Other systems have no such folder, and the metric no line. */
function countDescriptors(): number | Samples {
  try {
    return readdirSync('/proc/self/fd').length - 1
  } catch {
    return []
  }
}

function mostDescriptors(): number | Samples {
  const most = openFilesLimit()
  return Number.isFinite(most) ? most : []
}
