import type { ListedRequest } from '../../store/usage/requests.ts'
import { organizationOf, ownOnly, type ConsoleApp, type ConsoleParts } from '../console.ts'
import * as routes from '../routes/requests.ts'
import { show } from '../routes/show.ts'
import { statusOf } from './usage.ts'

export function addRequests(app: ConsoleApp, { store }: ConsoleParts): void {
  app.openapi(routes.listRequests, async (context) => {
    const { id, result, from, to, ...query } = context.req.valid('query')
    const { requests, next } = await store.listRequests({
      organization: organizationOf(context),
      ...query,
      request: id,
      code: result,
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
      ...ownOnly(context),
    })
    return context.json({ requests: requests.map(showRequest), next: next ?? null }, 200)
  })
}

/** The status for a client that left before the end: nobody got it, and the web has a custom for it. */
const CLIENT_LEFT = 499

function showRequest(row: ListedRequest) {
  const { code, takeOver } = row
  return show(routes.request, {
    ...row,
    id: row.request,
    key: { id: row.key, name: row.keyName },
    device: row.device === '' ? null : { id: row.device, name: row.deviceName },
    status: code === '' ? 200 : code === 'canceled' ? CLIENT_LEFT : statusOf(code),
    code: code === '' ? null : code,
    takeOver: takeOver && {
      left: { id: takeOver.left, name: row.leftName ?? takeOver.left },
      gapMs: takeOver.gapMs,
    },
  })
}
