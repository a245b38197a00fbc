import { describe, expect, it } from 'vitest'
import type { ModelShape } from '../../../models/gguf/model-shape.ts'
import { explainUnfit, hasRoomForDraft } from './draft-room.ts'
import { MIB } from './machine.ts'
import { draftNeed } from './memory-need.ts'
import { planModel } from './plan-model.ts'
import { REFERENCE_MACHINES } from './reference-machines.ts'
import { REFERENCE_MODELS } from './reference-models.ts'

const shapes = REFERENCE_MODELS.map(({ shape }) => shape)
const small = shapes[0]!

describe('a draft', () => {
  it('never takes more than what is left, nor a context worth having, a few slots or layers', () => {
    for (const { machine } of REFERENCE_MACHINES)
      for (const shape of shapes) {
        if (!hasRoomForDraft(shape, small, machine, {})) continue
        const [alone, beside] = [planModel(shape, machine), planModel(shape, machine, { draft: small })]
        if (!alone.fits || !beside.fits) throw new Error('It has no room after all')
        const [less, more] = [beside.arrangement, alone.arrangement]
        expect(less.gpuLayers).toBeGreaterThanOrEqual(more.gpuLayers)
        expect(less.slots).toBeGreaterThanOrEqual(Math.min(4, more.slots))
        expect(less.context).toBeGreaterThanOrEqual(Math.min(8192, more.context))
        const { ram, gpu } = draftNeed(small, less)
        const both = beside.need.ram + beside.need.gpu + ram + gpu
        expect(both).toBeLessThanOrEqual(machine.ram.available + (machine.gpu?.free ?? 0))
      }
  })

  it('has room beside most models, and none on a machine that is full', () => {
    const roomy = { ram: { total: 2 ** 40, available: 2 ** 40 }, cores: 8 }
    for (const shape of shapes) expect(hasRoomForDraft(shape, small, roomy, {})).toBe(true)
    const full = { ram: { total: 2 ** 40, available: 64 * MIB }, cores: 8 }
    for (const shape of shapes) expect(hasRoomForDraft(shape, small, full, {})).toBe(false)
  })

  it('has the vocabulary of the model, is no larger, and both can forget guesses', () => {
    const hybrid: ModelShape = { ...small, layers: small.layers.map((layer) => ({ ...layer, stateBytes: 1 })) }
    const padded = { ...small, vocabulary: small.vocabulary + 128 }
    expect(explainUnfit(small, padded)).toBeUndefined()
    expect(explainUnfit(small, { ...padded, vocabulary: padded.vocabulary + 1 })).toContain('another vocabulary')
    expect(explainUnfit(small, { ...small, inputBytes: small.inputBytes + 1 })).toContain('larger than the model')
    expect(explainUnfit(hybrid, small)).toContain("can't use one")
    expect(explainUnfit(small, hybrid)).toContain("can't be one")
  })
})
