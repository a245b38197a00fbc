import type { ListedRequest } from '../../store/usage/requests.ts'
import { organizationOf, ownOnly, type ConsoleApp, type ConsoleParts } from '../console.ts'
import * as routes from '../routes/requests.ts'
import { statusOf } from './usage.ts'

export function addRequests(app: ConsoleApp, { store }: ConsoleParts): void {
  app.openapi(routes.listRequests, async (context) => {
    const { before, limit, id, key, model, device, result, from, to } = context.req.valid('query')
    const { requests, next } = await store.listRequests({
      organization: organizationOf(context),
      limit,
      ...(before !== undefined && { before }),
      ...(id !== undefined && { request: id }),
      ...(key !== undefined && { key }),
      ...(model !== undefined && { model }),
      ...(device !== undefined && { device }),
      ...(result !== undefined && { code: result }),
      ...(from !== undefined && { from: new Date(from) }),
      ...(to !== undefined && { to: new Date(to) }),
      ...ownOnly(context),
    })
    return context.json({ requests: requests.map(showRequest), next: next ?? null }, 200)
  })
}

/** The status for a client that left before the end: nobody got it, and the web has a custom for it. */
const CLIENT_LEFT = 499

function showRequest(row: ListedRequest) {
  const { number, at, request, model, code, promptTokens, completionTokens } = row
  return {
    number,
    at: at.toISOString(),
    id: request,
    key: { id: row.key, name: row.keyName },
    model,
    device: row.device === '' ? null : { id: row.device, name: row.deviceName },
    status: code === '' ? 200 : code === 'canceled' ? CLIENT_LEFT : statusOf(code),
    code: code === '' ? null : code,
    promptTokens,
    completionTokens,
    waitMs: row.waitMs,
    firstTokenMs: row.firstTokenMs ?? null,
    totalMs: row.totalMs,
    attempts: row.attempts,
    isStream: row.isStream,
    isSealed: row.isSealed,
    takeOver: row.takeOver
      ? { left: { id: row.takeOver.left, name: row.leftName ?? row.takeOver.left }, gapMs: row.takeOver.gapMs }
      : null,
  }
}
