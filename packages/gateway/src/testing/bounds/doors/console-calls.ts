// Operations of the console API. Each also has the bounds of its path: its body, and how many are answered at once.

import type { Answering, BoundName } from '../bounds.ts'

/** The answer to a person counts for their organization until they have read it. */
const PAID = ['request-memory'] as const

/** Reads rows that others wrote, whose number has a bound. */
function reads(...rows: readonly BoundName[]): Answering {
  return { keeps: [], takes: ['crowd', 'queries', ...rows], answers: [...rows, ...PAID] }
}

/** Changes rows that exist. */
const CHANGE: Answering = { keeps: [], takes: ['console-body', 'crowd', 'queries'], answers: PAID }
/** A secret is tried. */
const GUESS: Answering = {
  keeps: ['remembered-names'],
  takes: ['console-body', 'crowd', 'guesses'],
  answers: ['fixed-answers'],
}
const ASK_DEVICE: Answering = { keeps: ['model-questions', 'asks'], takes: ['console-body', 'crowd'], answers: PAID }
/** It is written as fast as somebody reads it, a page at a time. */
const DOWNLOAD: Answering = { keeps: ['downloads'], takes: ['crowd', 'downloads', 'queries'], answers: ['downloads'] }
const INVENTORY = reads('devices', 'reports', 'enabled-models')

function adds(rows: BoundName): Answering {
  return { ...CHANGE, keeps: [rows] }
}

const ACCOUNT = {
  readMe: reads('organizations'),
  changeMe: CHANGE,
  exportMe: DOWNLOAD,
  changeActiveOrganization: CHANGE,
  changePassword: GUESS,
  listSessions: reads('pages'),
  endSession: CHANGE,
  endOtherSessions: CHANGE,
  deleteMe: GUESS,
  beginSecondFactor: GUESS,
  confirmSecondFactor: GUESS,
  endSecondFactor: GUESS,
  setUp: GUESS,
  readSignInOptions: { keeps: [], takes: ['crowd'], answers: ['fixed-answers'] },
  signIn: GUESS,
  signInProvider: GUESS,
  signInSecondFactor: GUESS,
  signOut: CHANGE,
} as const satisfies Record<string, Answering>

const ORGANIZATION = {
  createOrganization: adds('organizations'),
  readOrganization: reads(),
  changeOrganization: CHANGE,
  deleteOrganization: CHANGE,
  exportOrganization: DOWNLOAD,
  restoreOrganization: CHANGE,
  followEvents: { keeps: ['streams'], takes: ['crowd', 'announcements'], answers: ['streams', 'unread'] },
  readOverview: INVENTORY,
  readSealing: reads('devices', 'reports', 'signed-lists'),
  changeSealing: CHANGE,
  readSealProgram: reads(),
  acceptInvitation: { ...GUESS, keeps: ['members', 'remembered-names'] },
  lookUpInvitation: GUESS,
  listInvitations: reads('invitations'),
  createInvitation: adds('invitations'),
  revokeInvitation: CHANGE,
  leaveOrganization: CHANGE,
  listMembers: reads('members'),
  removeMember: CHANGE,
  changeMember: CHANGE,
  readUsage: reads('usage-range'),
  listBudgets: reads('keys', 'members'),
  listRequests: reads('pages'),
  listAudit: reads('pages'),
} as const satisfies Record<string, Answering>

const MODELS_AND_DEVICES = {
  removeModel: CHANGE,
  listModels: INVENTORY,
  putModel: adds('enabled-models'),
  getModelDefaults: reads(),
  putModelDefaults: { ...CHANGE, keeps: ['template-check'], takes: [...CHANGE.takes, 'template-check'] },
  cancelDownload: ASK_DEVICE,
  startDownload: { ...ASK_DEVICE, keeps: [...ASK_DEVICE.keeps, 'enabled-models'] },
  pauseDownload: ASK_DEVICE,
  deleteModel: ASK_DEVICE,
  unblockRequests: ASK_DEVICE,
  lookUpModel: ASK_DEVICE,
  listKnownModels: reads(),
  listDevices: INVENTORY,
  removeDevice: CHANGE,
  changeDevice: CHANGE,
  readDeviceDay: reads('devices', 'reports', 'usage-range', 'pages'),
  listSpeeds: { keeps: ['speeds'], takes: ['crowd', 'speeds'], answers: ['speeds', ...PAID] },
  approveCode: { ...GUESS, keeps: ['devices', 'remembered-names'] },
  denyCode: GUESS,
  lookUpCode: GUESS,
  listEnrolments: reads('enrolments'),
  createEnrolment: adds('enrolments'),
  revokeEnrolment: CHANGE,
} as const satisfies Record<string, Answering>

const KEYS = {
  listKeys: reads('pages'),
  createKey: adds('keys'),
  revokeKey: CHANGE,
  readKey: reads(),
  changeKey: CHANGE,
  endPreviousSecret: CHANGE,
  rotateKey: adds('keys'),
  createPlaygroundKey: adds('playground-keys'),
  listWaitingRequests: { keeps: ['asks'], takes: ['crowd', 'waiting'], answers: ['waiting', ...PAID] },
} as const satisfies Record<string, Answering>

/** By `operationId`. A test compares the names with the routes. */
export const CONSOLE_CALLS: Readonly<Record<string, Answering>> = {
  ...ACCOUNT,
  ...ORGANIZATION,
  ...MODELS_AND_DEVICES,
  ...KEYS,
}
