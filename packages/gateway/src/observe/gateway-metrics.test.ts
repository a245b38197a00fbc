import { describe, expect, it } from 'vitest'
import { openBudgets } from '../budget/memory-budgets.ts'
import type { FleetStats } from '../fleet/fleet.ts'
import { aRecord, aTicket } from '../testing/job-record.ts'
import { GatewayMetrics } from './gateway-metrics.ts'

const FLEET: FleetStats = {
  links: 3,
  supersededLinks: 1,
  refusedLinks: 2,
  queued: 4,
  oldestWaitMs: 2_500,
  running: 5,
  leases: 6,
  suspectSlots: 7,
  secondOffers: 9,
  secondOffersWon: 8,
  continuedReplies: 10,
  served: [],
}

const RECORD = aRecord({
  ticket: aTicket({ organization: 'secret-organization', key: 'secret-key', model: 'secret-model' }),
  device: 'secret-device',
  tokens: { prompt: 11, completion: 22 },
  waitMs: 100,
  firstEventMs: 200,
  totalMs: 300,
})

const SIZES = { totalBytes: 1_200_000, heapLimitBytes: 0, maxBodyBytes: 1 }

function render(): string {
  const budgets = openBudgets(SIZES)
  budgets.requests.open({ organization: 'secret-organization', key: 'secret-key' }).resize(2_048)
  const metrics = new GatewayMetrics(budgets)
  metrics.answered({ requestId: 'req_1', method: 'POST', route: 'api', status: 200 })
  metrics.recorded(RECORD)
  return metrics.render(FLEET, 1_500)
}

describe('the gateway metrics', () => {
  it('compare the expected time to first token with the real one', () => {
    const metrics = new GatewayMetrics(openBudgets(SIZES))
    metrics.recorded({ ...RECORD, firstEventMs: 200, expectedMs: 150 })
    metrics.recorded({ ...RECORD, firstEventMs: undefined, expectedMs: 150 })
    const text = metrics.render(FLEET, 0)
    expect(text).toContain('hearth_expected_first_token_seconds_sum 0.15\n')
    expect(text).toContain('hearth_expected_first_token_error_ratio_bucket{le="0.2"} 0\n')
    expect(text).toContain('hearth_expected_first_token_error_ratio_bucket{le="0.3"} 1\n')
    expect(text).toContain('hearth_expected_first_token_error_ratio_count 1\n')
  })

  it('are counters if their names end in _total, and nothing else is', () => {
    const types = [...render().matchAll(/^# TYPE (\w+) (\w+)$/gm)]
    const counters = types.filter(([, , type]) => type === 'counter').map(([, name]) => name)
    expect(counters).toEqual(types.map(([, name]) => name).filter((name) => name?.endsWith('_total')))
    expect(counters).toContain('hearth_continued_replies_total')
  })

  it('count requests, jobs, tokens, devices, waits and the event loop', () => {
    const text = render()
    for (const line of [
      'hearth_store_silent_seconds 1.5',
      'hearth_requests_total{route="api",status="200"} 1',
      'hearth_jobs_total{outcome="ended"} 1',
      'hearth_tokens_total{kind="prompt"} 11',
      'hearth_tokens_total{kind="completion"} 22',
      'hearth_wait_seconds_sum 0.1',
      'hearth_first_token_seconds_sum 0.2',
      'hearth_job_seconds_sum 0.3',
      'hearth_links 3',
      'hearth_links_superseded_total 1',
      'hearth_links_refused_total 2',
      'hearth_queued_jobs 4',
      'hearth_queue_oldest_seconds 2.5',
      'hearth_running_jobs 5',
      'hearth_leases 6',
      'hearth_suspect_slots 7',
      'hearth_second_offers_total 9',
      'hearth_second_offers_won_total 8',
      'hearth_continued_replies_total 10',
    ])
      expect(text.split('\n')).toContain(line)
  })

  it.each([
    ['hearth_build_info', /^hearth_build_info\{version="\d+\.\d+\.\d+",node="v\d+\.\d+\.\d+"\} 1$/m],
    ['process_start_time_seconds', /^process_start_time_seconds 1\d{9}/m],
    ['process_cpu_seconds_total', /^process_cpu_seconds_total [\d.]+$/m],
    ['process_resident_memory_bytes', /^process_resident_memory_bytes \d{7,}$/m],
    ['nodejs_eventloop_lag_p99_seconds', /^nodejs_eventloop_lag_p99_seconds [\d.e-]+$/m],
    ['nodejs_eventloop_lag_max_seconds', /^nodejs_eventloop_lag_max_seconds [\d.e-]+$/m],
  ])('have %s, under the name that every Prometheus client uses', (_, line) => {
    expect(render()).toMatch(line)
  })

  it.runIf(process.platform === 'linux')('count the descriptors of the process, and those it may have', () => {
    const count = (name: string) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(render())?.[1])
    expect(count('process_open_fds')).toBeGreaterThan(2)
    expect(count('process_max_fds')).toBeGreaterThan(count('process_open_fds'))
  })

  it('say how much memory requests and replies hold, and how much there is', () => {
    const lines = render().split('\n')
    expect(lines).toContain('hearth_budget_used_bytes{kind="requests"} 2048')
    expect(lines).toContain('hearth_budget_used_bytes{kind="replies"} 0')
    expect(lines).toContain('hearth_budget_limit_bytes{kind="requests"} 600000')
    expect(lines).toContain('hearth_budget_limit_bytes{kind="replies"} 600000')
  })

  it('cover the message bus and the other gateways, if there are others', () => {
    const metrics = new GatewayMetrics(openBudgets(SIZES))
    expect(metrics.render(FLEET, 0)).not.toMatch(/^hearth_(bus|peer|scheduled|taken)/m)
    const bus = { isConnected: true, messagesIn: 1, messagesOut: 2, bytesIn: 3, bytesOut: 4, breaks: 5 }
    const peers = {
      self: 'gateway-1',
      hasJoined: true,
      count: 9,
      generation: 10,
      isSettled: true,
      hasLeadership: true,
      isIsolated: true,
      isWithoutDatabase: false,
    }
    const scheduling = { organizations: 11, takenOver: 12 }
    const between = { bus, links: { up: 6, breaks: 7, backlogBytes: 8 }, peers, scheduling }
    const lines = metrics.render({ ...FLEET, between }, 0).split('\n')
    expect(lines.filter((line) => /^hearth_(bus|peer|scheduled|taken)/.test(line))).toEqual([
      'hearth_bus_connected 1',
      'hearth_bus_messages_total{direction="in"} 1',
      'hearth_bus_messages_total{direction="out"} 2',
      'hearth_bus_bytes_total{direction="in"} 3',
      'hearth_bus_bytes_total{direction="out"} 4',
      'hearth_bus_breaks_total 5',
      'hearth_peer_links_up 6',
      'hearth_peer_link_breaks_total 7',
      'hearth_peer_link_backlog_bytes 8',
      'hearth_peer 1',
      'hearth_peers 9',
      'hearth_peers_generation 10',
      'hearth_peers_settled 1',
      'hearth_peer_leader 1',
      'hearth_peer_isolated 1',
      'hearth_peer_without_database 0',
      'hearth_peer_mandate 1',
      'hearth_peer_set_aside 1',
      'hearth_scheduled_organizations 11',
      'hearth_taken_over_organizations_total 12',
    ])
  })

  it('say whether chat requests are being refused, and how many were', () => {
    const metrics = new GatewayMetrics(openBudgets(SIZES))
    expect(metrics.render(FLEET, 0)).toContain('\nhearth_shedding 0\n')
    metrics.sheddingChanged(true)
    metrics.requestShed()
    expect(metrics.render(FLEET, 0)).toContain('\nhearth_shedding 1\n')
    expect(metrics.render(FLEET, 0)).toContain('\nhearth_shed_requests_total 1\n')
  })

  it('name no organization, key, model or device', () => {
    expect(render()).not.toContain('secret')
  })
})
