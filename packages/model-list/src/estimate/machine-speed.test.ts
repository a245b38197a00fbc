import { describe, expect, it } from 'vitest'
import { speedOf } from './machine-speed.ts'

const GB = 1e9
const GIB = 2 ** 30

describe('what a machine can do', () => {
  it('knows graphics cards by name, and leaves a part of their bandwidth and memory out', () => {
    const { gpu } = speedOf({ gpu: 'NVIDIA GeForce RTX 4090', memoryBytes: 64 * GIB })
    expect(gpu?.bandwidth).toBe(1008 * GB * 0.65)
    expect(gpu?.room).toBeGreaterThan(20 * GB)
    expect(gpu?.room).toBeLessThan(24 * GB)
  })

  it.each([
    ['NVIDIA H200', 4800],
    ['NVIDIA GeForce RTX 3060 Laptop GPU', 192],
    ['NVIDIA GeForce RTX 3060', 360],
    ['NVIDIA RTX 6000 Ada Generation', 960],
    ['AMD Radeon RX 7900 XTX (RADV NAVI31)', 864],
    ['AMD Radeon 780M Graphics (RADV PHOENIX)', 70],
    ['Intel(R) Arc(tm) A770 Graphics (DG2)', 512],
    ['Intel(R) Iris(R) Xe Graphics (TGL GT2)', 40],
    ['NVIDIA Something New', 190],
    ['AMD GPU', 40],
  ])('reads %s as %d GB/s', (gpu, bandwidth) => {
    expect(speedOf({ gpu }).gpu?.bandwidth).toBeCloseTo(bandwidth * GB * 0.65)
  })

  it.each([
    ['Apple M1', 68],
    ['Apple M1 Max', 400],
    ['Apple M2 Pro', 200],
    ['Apple M3 Ultra', 800],
    ['Apple M4', 120],
  ])('reads %s as %d GB/s, for the GPU too', (processor, bandwidth) => {
    expect(speedOf({ processor, gpu: 'Apple GPU' }).gpu?.bandwidth).toBe(bandwidth * GB * 0.65)
  })

  it('lets the GPU use a part of a memory that it shares', () => {
    const { gpu, room } = speedOf({ processor: 'Apple M2', gpu: 'Apple GPU', memoryBytes: 16 * GIB })
    expect(gpu?.room).toBeLessThan((16 * GIB * 2) / 3)
    expect(room).toBeLessThan(13 * GIB)
  })

  it('adds the memory of a card to the memory of the machine', () => {
    const card = { gpu: 'NVIDIA GeForce RTX 3060', gpuMemoryBytes: 12 * GIB, memoryBytes: 32 * GIB }
    const { cpu, gpu, room } = speedOf(card)
    expect(gpu?.room).toBeGreaterThan(10 * GIB)
    expect(room).toBe(cpu.room + (gpu?.room ?? 0))
  })

  it('believes what the device says about the room for models', () => {
    expect(speedOf({ memoryBytes: 24 * GIB, roomBytes: 3 * GB }).room).toBe(3 * GB)
    expect(speedOf({ gpu: 'NVIDIA H200', memoryBytes: 24 * GIB, roomBytes: 3 * GB }).gpu?.room).toBe(3 * GB)
  })

  it('is limited by few cores, and with many of them by the memory', () => {
    const of = (cores: number): number =>
      speedOf({ processor: 'AMD Ryzen 7 5800X 8-Core Processor', cores }).cpu.bandwidth
    expect(of(2)).toBeLessThan(10 * GB)
    expect(of(16)).toBeCloseTo(48 * GB * 0.65)
    expect(of(64)).toBe(of(16))
  })

  it('expects little of a machine that says nothing', () => {
    const { cpu, gpu, room } = speedOf({})
    expect(gpu).toBeUndefined()
    expect(cpu.bandwidth).toBeLessThan(25 * GB)
    expect(room).toBeLessThan(7 * GIB)
  })
})
