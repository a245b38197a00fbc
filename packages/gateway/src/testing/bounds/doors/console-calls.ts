// Operations of the console API. Each also has the bounds of its path: its body, and how many are answered at once.

import type { Bounded, BoundName } from '../bounds.ts'

/** Reads rows that others wrote, whose number has a bound. */
function reads(...rows: readonly BoundName[]): Bounded {
  return { keeps: [], takes: ['crowd', 'queries', ...rows] }
}

/** Changes rows that exist. */
const CHANGE: Bounded = { keeps: [], takes: ['console-body', 'crowd', 'queries'] }
/** A secret is tried. */
const GUESS: Bounded = { keeps: ['remembered-names'], takes: ['console-body', 'crowd', 'guesses'] }
const ASK_DEVICE: Bounded = { keeps: ['model-questions', 'asks'], takes: ['console-body', 'crowd'] }
const INVENTORY = reads('devices', 'reports', 'enabled-models')

function adds(rows: BoundName): Bounded {
  return { keeps: [rows], takes: CHANGE.takes }
}

const ACCOUNT = {
  readMe: reads('organizations'),
  changeMe: CHANGE,
  changeActiveOrganization: CHANGE,
  changePassword: GUESS,
  deleteMe: GUESS,
  beginSecondFactor: GUESS,
  confirmSecondFactor: GUESS,
  endSecondFactor: GUESS,
  setUp: GUESS,
  readSignInOptions: { keeps: [], takes: ['crowd'] },
  signIn: GUESS,
  signInProvider: GUESS,
  signInSecondFactor: GUESS,
  signOut: CHANGE,
} as const satisfies Record<string, Bounded>

const ORGANIZATION = {
  createOrganization: adds('organizations'),
  readOrganization: reads(),
  changeOrganization: CHANGE,
  deleteOrganization: CHANGE,
  restoreOrganization: CHANGE,
  followEvents: { keeps: ['streams'], takes: ['crowd', 'announcements'] },
  readOverview: INVENTORY,
  readSealing: reads('devices', 'reports', 'signed-lists'),
  changeSealing: CHANGE,
  readSealProgram: reads(),
  acceptInvitation: { keeps: ['members', 'remembered-names'], takes: GUESS.takes },
  lookUpInvitation: GUESS,
  listInvitations: reads('invitations'),
  createInvitation: adds('invitations'),
  revokeInvitation: CHANGE,
  leaveOrganization: CHANGE,
  listMembers: reads('members'),
  removeMember: CHANGE,
  changeMember: CHANGE,
  readUsage: reads('usage-range'),
  listRequests: reads('pages'),
  listAudit: reads('pages'),
} as const satisfies Record<string, Bounded>

const MODELS_AND_DEVICES = {
  removeModel: CHANGE,
  listModels: INVENTORY,
  putModel: adds('enabled-models'),
  getModelDefaults: reads(),
  putModelDefaults: { keeps: ['template-check'], takes: [...CHANGE.takes, 'template-check'] },
  cancelDownload: ASK_DEVICE,
  startDownload: { keeps: [...ASK_DEVICE.keeps, 'enabled-models'], takes: ASK_DEVICE.takes },
  pauseDownload: ASK_DEVICE,
  deleteModel: ASK_DEVICE,
  unblockRequests: ASK_DEVICE,
  lookUpModel: ASK_DEVICE,
  listKnownModels: reads(),
  listDevices: INVENTORY,
  removeDevice: CHANGE,
  changeDevice: CHANGE,
  readDeviceDay: reads('devices', 'reports', 'usage-range', 'pages'),
  listSpeeds: { keeps: ['speeds'], takes: ['crowd', 'speeds'] },
  approveCode: { keeps: ['devices', 'remembered-names'], takes: GUESS.takes },
  denyCode: GUESS,
  lookUpCode: GUESS,
  listEnrolments: reads('enrolments'),
  createEnrolment: adds('enrolments'),
  revokeEnrolment: CHANGE,
} as const satisfies Record<string, Bounded>

const KEYS = {
  listKeys: reads('pages'),
  createKey: adds('keys'),
  revokeKey: CHANGE,
  readKey: reads(),
  changeKey: CHANGE,
  endPreviousSecret: CHANGE,
  rotateKey: adds('keys'),
  createPlaygroundKey: adds('playground-keys'),
  listWaitingRequests: { keeps: ['asks'], takes: ['crowd', 'waiting'] },
} as const satisfies Record<string, Bounded>

/** By `operationId`. A test compares the names with the routes. */
export const CONSOLE_CALLS: Readonly<Record<string, Bounded>> = {
  ...ACCOUNT,
  ...ORGANIZATION,
  ...MODELS_AND_DEVICES,
  ...KEYS,
}
