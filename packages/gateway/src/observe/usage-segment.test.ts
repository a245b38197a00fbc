import { readFileSync, writeSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseUsageRecord, type UsageRecord } from './usage-record.ts'
import { UsageSegment } from './usage-segment.ts'

const place = { at: new Date(1_700_000_000_000), organization: 'o', key: 'k', model: 'größe "x"\n', device: '' }
const counts = { promptTokens: 1, completionTokens: 2, waitMs: 3, firstTokenMs: undefined, totalMs: 9, attempts: 2 }
const kind = { isStream: true, isSealed: true, takeOver: undefined }
const record: UsageRecord = { ...place, request: 'req_1', code: 'server_error', ...counts, ...kind }

describe('a segment of the usage journal', () => {
  it('has every request in its file when `write` returns', async () => {
    const path = join(scratchFolder(), 'segment')
    const segment = new UsageSegment(1, await open(path, 'ax'))
    onTestFinished(() => segment.close())
    segment.add(record)
    const answered = { ...record, code: '', firstTokenMs: 5 }
    const continued = { ...record, takeOver: { left: 'd', gapMs: 900 } }
    segment.add(answered)
    segment.add(continued)
    expect(readFileSync(path, 'utf8')).toBe('')
    expect(segment.write()).toBeUndefined()
    const lines = readFileSync(path, 'utf8').split('\n')
    expect(lines.map(parseUsageRecord)).toEqual([record, answered, continued, undefined])
  })

  it('counts a request that it cannot write', async () => {
    const file = await open(import.meta.filename, 'r')
    onTestFinished(() => file.close())
    const segment = new UsageSegment(1, file)
    segment.add(record)
    segment.add(record)
    expect(segment.write()).toMatchObject({ error: { code: 'EBADF' }, requests: 2 })
    expect(segment.sums.rows()).toMatchObject([{ requests: 2 }])
  })

  it('loses only the line that a full disk cut off', async () => {
    const path = join(scratchFolder(), 'cut')
    const [broken, good] = [await open(import.meta.filename, 'r'), await open(path, 'ax')]
    onTestFinished(async () => void (await Promise.all([broken.close(), good.close()])))
    const descriptors = [broken.fd, good.fd]
    const file = {
      get fd() {
        return descriptors.shift()
      },
    }
    const segment = new UsageSegment(1, file as FileHandle)
    segment.add(record)
    expect(segment.write()).toMatchObject({ error: { code: 'EBADF' }, requests: 1 })
    writeSync(good.fd, '[1700000000000,"o","k')
    segment.add(record)
    expect(segment.write()).toBeUndefined()
    const lines = readFileSync(path, 'utf8').split('\n')
    expect(lines.map(parseUsageRecord)).toEqual([undefined, record, undefined])
    expect(segment.sums.rows()).toMatchObject([{ requests: 2 }])
  })
})
