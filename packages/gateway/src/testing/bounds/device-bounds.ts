// Bounds of devices: how they join, connect, report and copy models.

import {
  GREETING_MS,
  MAX_BLOCKED_REQUESTS,
  MAX_FRAGMENTS,
  MAX_FRAME_BYTES,
  MAX_HELLO_BYTES,
  MAX_MODELS_PER_DEVICE,
  MAX_SLOTS,
} from '@hearth/protocol'
import { DIALS_PER_MINUTE } from '../../access/limits/dial-limiter.ts'
import { MODELS_PER_MINUTE, PIECES } from '../../access/limits/relay-limiter.ts'
import { MOST_OF_AN_ORGANIZATION, RELAY_BYTES } from '../../budget/memory-budgets.ts'
import { BY_ADDRESS } from '../../access/limits/guess-limiter.ts'
import { ALTOGETHER, LIMITS } from '../../access/limits/join-limiter.ts'
import { ANNOUNCE_MS, MAX_BUFFERED_BYTES } from '../../fleet/devices/device-link.ts'
import { MAX_GREETING } from '../../fleet/devices/link-registry.ts'
import { DEVICE_ANSWER_MS, MAX_WAITING_PER_DEVICE } from '../../fleet/devices/model-requests.ts'
import { BYTES_PER_SECOND, FIRST_BYTE_MS, MOST_LOOKED_AT, TRANSFER_BYTES } from '../../fleet/devices/relay/relay.ts'
import { REMEMBERED_DEVICES } from '../../fleet/scheduler/core/device-table.ts'
import { PAGE_BYTES } from '../../fleet/view/view.ts'
import { CONFLICT_MS, REMEMBERED_BOOTS } from '../../fleet/terms/take-overs.ts'
import { MAX_ENROL_BYTES as JOIN_BYTES } from '../../http/devices/enrol.ts'
import { SLOWEST } from '../../http/devices/pour-piece.ts'
import { MAX_UNSENT_BYTES } from '../../http/link/device-upgrade.ts'
import { COUNTED_BYTES, SHARE_OF_A_LINK, SHARE_OF_AN_ORGANIZATION } from '../../http/link/link-guard.ts'
import { BYTES_PER_MS } from '../../http/link/loop-share.ts'
import { MAX_WAITING } from '../../store/devices/device-codes.ts'
import { attack, bytes, count, elsewhere, setting, share, test, time, type Bound } from './bound.ts'

const UPGRADE = 'http/link/device-upgrade.test.ts'
const GUARD = 'http/link/link-guard.test.ts'
const HUB = 'fleet/devices/link-registry.test.ts'
const LINK = 'fleet/devices/device-link.test.ts'

export const DEVICE_BOUNDS = {
  'join-body': {
    what: 'the body of a request to join',
    most: [bytes(JOIN_BYTES)],
    beyond: '413',
    shownBy: elsewhere('e2e/catalogue/largest-bodies.ts', 'rejects a larger body'),
  },
  joins: {
    what: 'requests to add a device',
    most: [count(LIMITS.perNetwork, 'a minute per network'), count(ALTOGETHER.perMinute, 'a minute in total')],
    of: ['processor', 'database'],
    beyond: '429, 503',
    shownBy: test('access/limits/join-limiter.test.ts', 'are limited by network, without an effect on others'),
  },
  'waiting-codes': {
    what: 'devices that wait for approval',
    most: [count(MAX_WAITING, 'in total')],
    of: ['database'],
    beyond: '503',
    shownBy: test('store/contract/joining.contract.ts', 'never match two waiting devices at once'),
  },
  dials: {
    what: 'connections of one device',
    most: [count(DIALS_PER_MINUTE, 'a minute')],
    of: ['processor', 'database'],
    beyond: '429 with `retry-after`',
    shownBy: test(UPGRADE, 'gets a 429 with a retry-after after 300 dials in a minute'),
  },
  'unknown-credentials': {
    what: 'unknown credentials',
    most: [count(BY_ADDRESS.perNetwork, 'a minute per network')],
    of: ['processor'],
    beyond: '429 with `retry-after`',
    shownBy: test(UPGRADE, 'gets a 429 with an unknown credential after 20 dials in a minute from its network'),
  },
  greeting: {
    what: 'links before the greeting',
    most: [count(MAX_GREETING, 'per device'), time(GREETING_MS), bytes(MAX_HELLO_BYTES)],
    beyond: 'the oldest is closed',
    shownBy: test(HUB, 'are at most two per device'),
  },
  message: {
    what: 'a message',
    most: [bytes(MAX_FRAME_BYTES), count(MAX_FRAGMENTS, 'fragments')],
    beyond: 'the link is closed',
    shownBy: test(UPGRADE, 'is disconnected when a message comes in too many fragments'),
  },
  reading: {
    what: 'reading what devices send',
    most: [
      share(SHARE_OF_A_LINK, "of the gateway's time per device"),
      share(SHARE_OF_AN_ORGANIZATION, 'per organization'),
      count((SHARE_OF_A_LINK * 1_000 * BYTES_PER_MS) / 1024, 'KiB a second per device'),
    ],
    of: ['processor'],
    beyond: 'it is read more slowly',
    shownBy: test(GUARD, 'is read for half of the time at most'),
  },
  announcements: {
    what: 'announcements and reports that are passed on',
    most: [count(1_000 / ANNOUNCE_MS, 'a second per device')],
    of: ['processor'],
    beyond: 'the latest one counts',
    shownBy: test(LINK, 'is heard at once the first time, and four times per second after that'),
  },
  models: {
    what: 'models that a device announces',
    most: [
      count(MAX_MODELS_PER_DEVICE, 'per device'),
      count(MAX_SLOTS, 'slots'),
      count(MAX_BLOCKED_REQUESTS, 'blocked requests each'),
    ],
    beyond: 'the link is closed',
    shownBy: elsewhere('packages/protocol/src/frames/read-device-frame.test.ts', 'a count of %d is rejected'),
  },
  reports: {
    what: 'what connected devices serve and report',
    most: [
      bytes(MOST_OF_AN_ORGANIZATION.devices, 'of models and messages that arrive, per organization'),
      bytes(MOST_OF_AN_ORGANIZATION.reports, 'of reports'),
    ],
    beyond: 'the earlier report stays, and the device is told; a greeting that has no room is rejected with a reason',
    shownBy: test(LINK, 'keeps its earlier report, and is told once'),
  },
  'half-messages': {
    what: 'a message that is half there',
    most: [bytes(COUNTED_BYTES, 'without counting; the rest counts as above')],
    of: ['memory'],
    beyond: 'the link is closed with a reason',
    shownBy: attack('crowds/half-messages', 'half-messages'),
  },
  views: {
    what: 'what one message says about devices, for the console at another gateway',
    most: [bytes(PAGE_BYTES, 'a page')],
    beyond: 'the next page has the rest',
    shownBy: test('fleet/view/view.test.ts', 'have every device once'),
  },
  unsent: {
    what: 'what waits for a device that reads slowly',
    most: [bytes(MAX_BUFFERED_BYTES), bytes(MAX_UNSENT_BYTES, 'of pongs')],
    of: ['memory'],
    beyond: 'it gets no more jobs or pongs until it reads, and the link is closed after three silent pings',
    shownBy: attack('ping-flood'),
  },
  'model-questions': {
    what: 'questions about models that wait for a device',
    most: [count(MAX_WAITING_PER_DEVICE, 'per device'), time(DEVICE_ANSWER_MS)],
    of: ['memory'],
    beyond: 'the device counts as silent',
    shownBy: test('fleet/contract/model-requests.contract.ts', 'take no reply from another device'),
  },
  'take-overs': {
    what: "machines that use one device's credential",
    most: [count(REMEMBERED_BOOTS, 'remembered per device'), time(CONFLICT_MS)],
    of: ['memory'],
    beyond: 'the oldest is forgotten',
    shownBy: test('fleet/terms/take-overs.test.ts', 'are forgotten after an hour without another try'),
  },
  'devices-that-left': {
    what: 'speeds of devices that left',
    most: [count(REMEMBERED_DEVICES, 'devices per organization')],
    of: ['memory'],
    beyond: 'the oldest are forgotten',
    shownBy: test('fleet/scheduler/core/device-table.test.ts', 'has the speeds that were measured before'),
  },
  devices: {
    what: 'devices of an organization',
    most: [setting('DEVICES_PER_ORGANIZATION')],
    of: ['memory', 'processor', 'database'],
    beyond: '409, and the device is told what to do',
    shownBy: test('console-api/console-api.quotas.test.ts', 'rejects a device too many'),
  },
  pieces: {
    what: 'pieces of models on their way between devices',
    most: [bytes(RELAY_BYTES, 'in total, half of it per organization'), bytes(TRANSFER_BYTES, 'each')],
    of: ['memory'],
    beyond: '503 with `retry-after`',
    shownBy: test('fleet/devices/relay/relay.test.ts', 'is sent once'),
  },
  'unread-pieces': {
    what: 'a piece that is sent or read slowly',
    most: [
      time(FIRST_BYTE_MS, 'until its first byte'),
      bytes(SLOWEST.bytes, `in ${SLOWEST.everyMs / 1_000} s at least`),
    ],
    of: ['memory'],
    beyond: 'it is cut off, or another device is asked',
    shownBy: attack('silent-holders'),
  },
  'relay-calls': {
    what: 'requests for models of other devices',
    most: [
      count(PIECES.perMinute, 'pieces a minute per device'),
      count(MODELS_PER_MINUTE, 'searches a minute'),
      count(MOST_LOOKED_AT, 'devices looked at'),
      bytes(BYTES_PER_SECOND, 'a second in total'),
    ],
    of: ['processor'],
    beyond: '429 with `retry-after`; copies take turns',
    shownBy: test('access/limits/relay-limiter.test.ts', 'no device search in a flood'),
  },
} as const satisfies Record<string, Bound>
