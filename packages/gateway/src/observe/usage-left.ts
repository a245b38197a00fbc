// Journals of gateways that ended without writing all their usage to the store: they were killed, or the store was out of reach.

import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { claimJournal, listJournals, type UsageJournalFiles } from './usage-journal-files.ts'
import { parseUsageRecord } from './usage-record.ts'
import { UsageSums } from './usage-sums.ts'

export interface LeftJournal {
  files: UsageJournalFiles
  /** In order. */
  segments: { number: number; sums: UsageSums }[]
  requests: number
  /** Lines that could not be read. A crash of the machine may damage the last ones. */
  damagedLines: number
}

export async function readLeftJournals(folder: string, onTrouble: (error: unknown) => void): Promise<LeftJournal[]> {
  const left: LeftJournal[] = []
  for (const journal of listJournals(folder)) {
    try {
      const files = claimJournal(folder, journal)
      if (files) left.push(await readJournal(files))
    } catch (error) {
      onTrouble(error)
    }
  }
  return left
}

async function readJournal(files: UsageJournalFiles): Promise<LeftJournal> {
  const journal: LeftJournal = { files, segments: [], requests: 0, damagedLines: 0 }
  for (const number of files.list()) {
    const { sums, requests, damagedLines } = await readSegment(files.path(number))
    journal.segments.push({ number, sums })
    journal.requests += requests
    journal.damagedLines += damagedLines
  }
  return journal
}

async function readSegment(path: string): Promise<{ sums: UsageSums; requests: number; damagedLines: number }> {
  const read = { sums: new UsageSums(), requests: 0, damagedLines: 0 }
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const record = parseUsageRecord(line)
    if (record) read.sums.add(record)
    if (record) read.requests += 1
    else if (line !== '') read.damagedLines += 1
  }
  return read
}
