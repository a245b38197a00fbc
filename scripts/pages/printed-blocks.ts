// Every block that a page can contain, by its name.

import { readFileSync } from 'node:fs'
import { decisionList } from './decision-list.ts'
import { deviceSettings } from './device-settings.ts'
import type { Blocks } from './fill-blocks.ts'
import { apiLimits, boundTable, linkLimits, linkTimes } from './limits.ts'
import { codeBlock } from './markdown.ts'
import { deviceStart, deviceStatus } from './samples/device-terminal.ts'
import { machineCommands, machineNeeds, machineStops } from './machine.ts'
import { modelList } from './samples/model-list.ts'
import { fittingPlan, tooLargePlan } from './samples/plans.ts'
import { serverTable } from './server-table.ts'
import { startPanel } from './samples/start-panel.ts'

const ECHO_DEVICE = new URL('../../e2e/protocol/echo-device.py', import.meta.url)

export async function printBlocks(): Promise<Blocks> {
  return {
    'start-panel': codeBlock(startPanel().replace(/^\n/, '')),
    'device-start': codeBlock(deviceStart()),
    'device-status': codeBlock(deviceStatus()),
    'device-settings': deviceSettings(),
    'model-list': codeBlock(await modelList()),
    'fitting-plan': codeBlock(fittingPlan()),
    'too-large-plan': codeBlock(tooLargePlan()),
    'machine-needs': machineNeeds(),
    'machine-commands': machineCommands(),
    'machine-stops': machineStops(),
    'server-table': serverTable(),
    decisions: decisionList(),
    'api-limits': apiLimits(),
    'link-limits': linkLimits(),
    'link-times': linkTimes(),
    'echo-device': codeBlock(readFileSync(ECHO_DEVICE, 'utf8'), 'python elsewhere'),
    'request-bounds': boundTable('requests'),
    'device-bounds': boundTable('devices'),
    'people-bounds': boundTable('people'),
    'peer-bounds': boundTable('peers'),
  }
}
