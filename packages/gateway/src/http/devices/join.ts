// A machine becomes a device of an organization, by a token or by a code that a person approves.

import type { IncomingMessage } from 'node:http'
import type { NodeOutlet } from '@hearth/chat'
import type { JoinLimiter } from '../../access/limits/join-limiter.ts'
import { allowMethods, clientAddress } from '../request-head.ts'
import type { Route, RoutePath } from '../route.ts'
import { authorizeDevice, redeemDeviceCode, type DeviceCodeContext } from './device-codes.ts'
import { enrolDevice, type EnrolContext } from './enrol.ts'

export interface JoinContext extends EnrolContext, DeviceCodeContext {
  joinLimiter: JoinLimiter
}

type Join = (request: IncomingMessage, outlet: NodeOutlet, context: JoinContext) => Promise<void>

const JOINS = new Map<RoutePath, Join>([
  ['/device/v1/enrol', enrolDevice],
  ['/device/v1/authorize', authorizeDevice],
  ['/device/v1/token', redeemDeviceCode],
])

export function createJoinRoutes(context: JoinContext): Route[] {
  return [...JOINS].map(([own, join]) => ({
    kind: 'device',
    paths: [own],
    has: (path) => path === own,
    answer({ request, path, outlet }) {
      allowMethods(request, path, ['POST'])
      context.joinLimiter.count(clientAddress(request, context.addressHeader))
      return join(request, outlet, context)
    },
  }))
}
