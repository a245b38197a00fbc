// A gateway with people: a store, a gateway running in this process, and helpers for the first things people do.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../observe/log.ts'
import { createEnrolmentToken, createInvitationToken, createSetUpToken } from '../access/secrets/secrets.ts'
import { readConfig } from '../config.ts'
import { startGateway } from '../gateway.ts'
import { openStore } from '../store/open-store.ts'
import type { Role } from '../store/tables/people.ts'
import './quick-passwords.ts'
import { ADDRESS_HEADER, Visitor } from './visitor.ts'

const QUICK = {
  PORT: '0',
  ACCESS_POLL_MS: '50',
  USAGE_FLUSH_MS: '50',
  DRAIN_MS: '100',
  CLIENT_ADDRESS_HEADER: ADDRESS_HEADER,
}

export const PASSWORD = 'correct horse battery'

export type ConsoleWorld = Awaited<ReturnType<typeof openConsoleWorld>>

export async function openConsoleWorld(url: string, settings: Record<string, string> = {}) {
  const store = await openStore(url)
  const journal = mkdtempSync(join(tmpdir(), 'hearth-journal-'))
  const config = readConfig({ ...QUICK, DATABASE_URL: url, USAGE_JOURNAL: journal, ...withKey(url), ...settings })
  const gateway = await startGateway(config, store, createLog('silent'))
  const base = `http://127.0.0.1:${gateway.port}`
  const soon = () => new Date(Date.now() + 600_000)

  return {
    base,
    store,
    visitor: () => new Visitor(base),
    /** Creates the first person, with an organization of this name. */
    async setUp(email: string, organization: string): Promise<Visitor & { organization: string }> {
      const { key: token, digest } = createSetUpToken()
      await store.createSetUpLink({ digest, expiresAt: soon() })
      const visitor = new Visitor(base)
      const person = { name: nameOf(email), email, password: PASSWORD }
      const { body } = await visitor.post<{ organization: string }>('/set-up', { token, organization, ...person })
      return Object.assign(visitor, body)
    },
    /** Creates a person who accepted an invitation and is signed in. */
    async join(organization: string, email: string, role: Role): Promise<Visitor> {
      const { key: token, digest } = createInvitationToken()
      await store.createInvitation({ organization, role, digest, expiresAt: soon() })
      const visitor = new Visitor(base)
      const person = { name: nameOf(email), email, password: PASSWORD }
      const from = config.PUBLIC_URL === '' ? {} : { origin: config.PUBLIC_URL }
      const { status } = await visitor.send('POST', '/invitations/accept', { token, person }, from)
      if (status !== 200) throw new Error(`${email} could not join: ${status}`)
      return visitor
    },
    async enrolDevice(organization: string, name: string): Promise<{ device: string; credential: string }> {
      const { key: token, digest } = createEnrolmentToken()
      await store.createEnrolment({ organization, digest, expiresAt: soon() })
      const headers = { 'content-type': 'application/json', [ADDRESS_HEADER]: new Visitor(base).address }
      const body = JSON.stringify({ token, name })
      const response = await fetch(`${base}/device/v1/enrol`, { method: 'POST', headers, body })
      return (await response.json()) as { device: string; credential: string }
    },
    async close(): Promise<void> {
      await gateway.close()
      await store.close()
      rmSync(journal, { recursive: true, force: true })
    },
  }
}

function nameOf(email: string): string {
  return email.split('@', 1)[0]!
}

/** With PostgreSQL, only a setting gives the gateway a key. */
function withKey(url: string): Record<string, string> {
  return url.startsWith('postgres') ? { SESSION_SECRET: 'a secret of tests, which is long enough' } : {}
}
