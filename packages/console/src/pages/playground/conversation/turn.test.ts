import { describe, expect, it } from 'vitest'
import { addChunk, startAnswer } from '../request/answer.ts'
import { answered, assistantTurn, CALL, USER } from '../testing/sample-turns.ts'
import { openCalls, requestedTurns, type Turn } from './turn.ts'

describe('requestedTurns', () => {
  it('is everything before the last response', () => {
    expect(requestedTurns([USER, assistantTurn(answered('one'))])).toStrictEqual([USER])
    expect(requestedTurns([])).toStrictEqual([])
  })
})

describe('openCalls', () => {
  it('are those of the last response, until their results are there', () => {
    const answer = startAnswer(1, 0, false)
    addChunk(answer, { choices: [{ index: 0, delta: { tool_calls: [CALL] }, finish_reason: 'tool_calls' }] }, 1)
    const turns: Turn[] = [USER, assistantTurn(answer)]
    expect(openCalls(turns)).toStrictEqual([CALL])
    expect(openCalls([...turns, { id: 3, role: 'tool', results: [{ call: CALL, text: '21' }] }])).toStrictEqual([])
  })
})
