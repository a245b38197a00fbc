import { expect, it } from 'vitest'
import { Metrics } from './metrics.ts'

it('metrics render in the Prometheus text format', () => {
  const metrics = new Metrics()
  const requests = metrics.counter('requests_total', 'Requests')
  requests.cell({ status: '200' }).value += 2
  requests.cell({ status: 'say "no"\n' }).value += 1
  const wait = metrics.histogram('wait_seconds', 'Wait', [0.1, 1])
  for (const seconds of [0.1, 0.5, 7]) wait.observe(seconds)
  metrics.reading('links', 'Links', () => 3)
  expect(metrics.render()).toBe(`# HELP requests_total Requests
# TYPE requests_total counter
requests_total{status="200"} 2
requests_total{status="say \\"no\\"\\n"} 1
# HELP wait_seconds Wait
# TYPE wait_seconds histogram
wait_seconds_bucket{le="0.1"} 1
wait_seconds_bucket{le="1"} 2
wait_seconds_bucket{le="+Inf"} 3
wait_seconds_sum 7.6
wait_seconds_count 3
# HELP links Links
# TYPE links gauge
links 3
`)
})
