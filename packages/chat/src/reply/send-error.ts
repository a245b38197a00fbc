// The only place that sends an error as an HTTP response.

import { errorBody, type ApiError } from '../errors.ts'
import type { Outlet } from './outlet.ts'

export function sendError(outlet: Outlet, error: ApiError): void {
  for (const [name, value] of Object.entries(error.headers)) outlet.header(name, value)
  outlet.json(error.status, errorBody(error))
}
