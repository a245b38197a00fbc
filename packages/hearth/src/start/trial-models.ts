// Models that show that everything works, and know little: a better one is offered, and comes before them.

import { findListed, STARTER_MODEL } from '@hearth/model-list'

/** The device falls back to it if it can't download the starter. */
const TOY_MODEL = 'hearth-tiny'

export function isTrialModel(name: string): boolean {
  return name === TOY_MODEL || findListed(name) === STARTER_MODEL
}
