import { queryOptions } from '@tanstack/react-query'
import { readNewestBuild } from '../../lib/build.ts'

/** Changes when the gateway is updated. Read again with everything else when the gateway is back. */
export const newestBuild = queryOptions({ queryKey: ['build'], queryFn: readNewestBuild })
