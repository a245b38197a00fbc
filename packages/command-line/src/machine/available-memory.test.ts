import { describe, expect, it } from 'vitest'
import { availableMemory, type MemoryWorld } from './available-memory.ts'

const GIB = 2 ** 30

function machine(files: Record<string, string>, rest: Partial<MemoryWorld> = {}): MemoryWorld {
  return {
    platform: 'linux',
    read: (path) => files[path],
    run: () => undefined,
    total: () => 24 * GIB,
    free: () => 2 * GIB,
    ...rest,
  }
}

const MEMINFO = {
  '/proc/meminfo': `MemTotal: ${24 * 2 ** 20} kB\nMemFree: ${2 * 2 ** 20} kB\nMemAvailable: ${21 * 2 ** 20} kB\n`,
}

describe('available memory', () => {
  it('counts the page cache, which Linux gives up when it is needed', () => {
    expect(availableMemory(machine(MEMINFO))).toEqual({ total: 24 * GIB, available: 21 * GIB })
    expect(availableMemory(machine({}))).toEqual({ total: 24 * GIB, available: 2 * GIB })
  })

  it('is what the container may have, without its copies of files', () => {
    const files = {
      ...MEMINFO,
      '/proc/self/cgroup': '0::/system.slice/app\n',
      '/sys/fs/cgroup/system.slice/app/memory.max': 'max\n',
      '/sys/fs/cgroup/system.slice/memory.max': `${4 * GIB}\n`,
      '/sys/fs/cgroup/system.slice/memory.current': `${3 * GIB}\n`,
      '/sys/fs/cgroup/system.slice/memory.stat': `anon ${GIB}\ninactive_file ${GIB}\nactive_file ${GIB / 2}\n`,
    }
    expect(availableMemory(machine(files))).toEqual({ total: 4 * GIB, available: 2.5 * GIB })
  })

  it('understands the older control groups, also where a container sees its own at the root', () => {
    const files = {
      ...MEMINFO,
      '/proc/self/cgroup': '5:cpu,cpuacct:/docker/1\n4:memory:/docker/1\n0::/\n',
      '/sys/fs/cgroup/memory/memory.limit_in_bytes': `${8 * GIB}\n`,
      '/sys/fs/cgroup/memory/memory.usage_in_bytes': `${5 * GIB}\n`,
      '/sys/fs/cgroup/memory/memory.stat': `total_inactive_file ${GIB}\ntotal_active_file ${GIB}\n`,
    }
    expect(availableMemory(machine(files))).toEqual({ total: 8 * GIB, available: 5 * GIB })
    const unlimited = { ...files, '/sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n' }
    expect(availableMemory(machine(unlimited))).toEqual({ total: 24 * GIB, available: 21 * GIB })
  })

  it('is what the other systems can take back', () => {
    const pages = (count: number): string => `${(count * GIB) / 16_384}.`
    const text = `Mach Virtual Memory Statistics: (page size of 16384 bytes)\nPages free: ${pages(1)}\nPages active: ${pages(9)}\nPages inactive: ${pages(4)}\nPages speculative: ${pages(2)}\nPages purgeable: ${pages(1)}\n`
    expect(availableMemory(machine({}, { platform: 'darwin', run: () => text })).available).toBe(8 * GIB)
    expect(availableMemory(machine({}, { platform: 'darwin' })).available).toBe(2 * GIB)
    expect(availableMemory(machine(MEMINFO, { platform: 'win32' })).available).toBe(2 * GIB)
  })

  it('is known on this machine', () => {
    const { total, available } = availableMemory()
    expect(available).toBeGreaterThan(0)
    expect(available).toBeLessThanOrEqual(total)
  })
})
