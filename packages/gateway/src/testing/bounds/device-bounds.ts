// Bounds of devices: how they join, connect, report and copy models.

import {
  GREETING_MS,
  MAX_BLOCKED_REQUESTS,
  MAX_FRAGMENTS,
  MAX_FRAME_BYTES,
  MAX_HELLO_BYTES,
  MAX_MODELS_PER_DEVICE,
  MAX_SLOTS_PER_MODEL,
} from '@hearth/protocol'
import { DIALS_PER_MINUTE } from '../../access/limits/dial-limiter.ts'
import { MODELS_PER_MINUTE, PIECES } from '../../access/limits/relay-limiter.ts'
import { MOST_OF_AN_ORGANIZATION, RELAY_BYTES } from '../../budget/memory-budgets.ts'
import { BY_ADDRESS } from '../../access/limits/guess-limiter.ts'
import { ALTOGETHER, LIMITS } from '../../access/limits/join-limiter.ts'
import { ANNOUNCE_MS, MAX_BUFFERED_BYTES } from '../../fleet/devices/device-link.ts'
import { MAX_GREETING } from '../../fleet/devices/hub.ts'
import { ANSWER_MS, MAX_WAITING_PER_DEVICE } from '../../fleet/devices/model-requests.ts'
import { BYTES_PER_SECOND, FIRST_BYTE_MS, MOST_LOOKED_AT, TRANSFER_BYTES } from '../../fleet/devices/relay/relay.ts'
import { REMEMBERED_DEVICES } from '../../fleet/slots/core/device-table.ts'
import { PAGE_BYTES } from '../../fleet/view/view.ts'
import { CONFLICT_MS, REMEMBERED_BOOTS } from '../../fleet/terms/take-overs.ts'
import { MAX_BODY_BYTES as JOIN_BYTES } from '../../http/devices/enrol.ts'
import { SLOWEST } from '../../http/devices/pour-piece.ts'
import { MAX_UNSENT_BYTES } from '../../http/link/device-upgrade.ts'
import { COUNTED_BYTES, SHARE_OF_A_LINK, SHARE_OF_AN_ORGANIZATION } from '../../http/link/link-guard.ts'
import { BYTES_PER_MS } from '../../http/link/loop-share.ts'
import { MAX_WAITING } from '../../store/devices/device-codes.ts'
import { bound, bytes, count, setting, share, time } from './bound.ts'

const JOINING = {
  'join-body': bound('the body of a request to join', [bytes(JOIN_BYTES)], 'memory processor', '413'),
  joins: bound(
    'requests to add a device',
    [count(LIMITS.perNetwork, 'a minute per network'), count(ALTOGETHER.perMinute, 'a minute in total')],
    'processor database',
    '429, 503',
  ),
  'waiting-codes': bound('devices that wait for approval', [count(MAX_WAITING, 'in total')], 'database', '503'),
  dials: bound(
    'connections of one device',
    [count(DIALS_PER_MINUTE, 'a minute')],
    'processor database',
    '429 with `retry-after`',
  ),
  'unknown-credentials': bound(
    'unknown credentials',
    [count(BY_ADDRESS.perNetwork, 'a minute per network')],
    'processor',
    '429 with `retry-after`',
  ),
  greeting: bound(
    'links before the greeting',
    [count(MAX_GREETING, 'per device'), time(GREETING_MS), bytes(MAX_HELLO_BYTES)],
    'memory processor',
    'the oldest is closed',
  ),
}

const LINKS = {
  message: bound(
    'a message',
    [bytes(MAX_FRAME_BYTES), count(MAX_FRAGMENTS, 'fragments')],
    'memory processor',
    'the link is closed',
  ),
  reading: bound(
    'reading what devices send',
    [
      share(SHARE_OF_A_LINK, "of the gateway's time per device"),
      share(SHARE_OF_AN_ORGANIZATION, 'per organization'),
      count((SHARE_OF_A_LINK * 1_000 * BYTES_PER_MS) / 1024, 'KiB a second per device'),
    ],
    'processor',
    'it is read more slowly',
  ),
  announcements: bound(
    'announcements and reports that are passed on',
    [count(1_000 / ANNOUNCE_MS, 'a second per device')],
    'processor',
    'the latest one counts',
  ),
  models: bound(
    'models that a device announces',
    [
      count(MAX_MODELS_PER_DEVICE, 'per device'),
      count(MAX_SLOTS_PER_MODEL, 'slots'),
      count(MAX_BLOCKED_REQUESTS, 'blocked requests each'),
    ],
    'memory processor',
    'the link is closed',
  ),
  reports: bound(
    'what connected devices serve and report',
    [
      bytes(MOST_OF_AN_ORGANIZATION.devices, 'of models and messages that arrive, per organization'),
      bytes(MOST_OF_AN_ORGANIZATION.reports, 'of reports'),
    ],
    'memory processor',
    'the earlier report stays, and the device is told; a greeting that has no room is rejected with a reason',
  ),
  'half-messages': bound(
    'a message that is half there',
    [bytes(COUNTED_BYTES, 'without counting; the rest counts as above')],
    'memory',
    'the link is closed with a reason',
  ),
  views: bound(
    'what one message says about devices, for the console at another gateway',
    [bytes(PAGE_BYTES, 'a page')],
    'memory processor',
    'the next page has the rest',
  ),
  unsent: bound(
    'what waits for a device that reads slowly',
    [bytes(MAX_BUFFERED_BYTES), bytes(MAX_UNSENT_BYTES, 'of pongs')],
    'memory',
    'it gets no more jobs or pongs until it reads, and the link is closed after three silent pings',
  ),
  'model-questions': bound(
    'questions about models that wait for a device',
    [count(MAX_WAITING_PER_DEVICE, 'per device'), time(ANSWER_MS)],
    'memory',
    'the device counts as silent',
  ),
  'take-overs': bound(
    "machines that use one device's credential",
    [count(REMEMBERED_BOOTS, 'remembered per device'), time(CONFLICT_MS)],
    'memory',
    'the oldest is forgotten',
  ),
  'devices-that-left': bound(
    'speeds of devices that left',
    [count(REMEMBERED_DEVICES, 'devices per organization')],
    'memory',
    'the oldest are forgotten',
  ),
  devices: bound(
    'devices of an organization',
    [setting('DEVICES_PER_ORGANIZATION')],
    'memory processor database',
    '409, and the device is told what to do',
  ),
}

const COPIES = {
  pieces: bound(
    'pieces of models on their way between devices',
    [bytes(RELAY_BYTES, 'in total, half of it per organization'), bytes(TRANSFER_BYTES, 'each')],
    'memory',
    '503 with `retry-after`',
  ),
  'unread-pieces': bound(
    'a piece that is sent or read slowly',
    [time(FIRST_BYTE_MS, 'until its first byte'), bytes(SLOWEST.bytes, `in ${SLOWEST.everyMs / 1_000} s at least`)],
    'memory',
    'it is cut off, or another device is asked',
  ),
  'relay-calls': bound(
    'requests for models of other devices',
    [
      count(PIECES.perMinute, 'pieces a minute per device'),
      count(MODELS_PER_MINUTE, 'searches a minute'),
      count(MOST_LOOKED_AT, 'devices looked at'),
      bytes(BYTES_PER_SECOND, 'a second in total'),
    ],
    'processor',
    '429 with `retry-after`; copies take turns',
  ),
}

export const DEVICE_BOUNDS = { ...JOINING, ...LINKS, ...COPIES }
