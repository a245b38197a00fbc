import type { Machine } from '@hearth/protocol'

export function showMachine({ model, system, processor, cores, memoryBytes, gpu, gpuMemoryBytes }: Machine) {
  return {
    model: model ?? null,
    system: system ?? null,
    processor: processor ?? null,
    cores: cores ?? null,
    memoryBytes: memoryBytes ?? null,
    gpu: gpu ?? null,
    gpuMemoryBytes: gpuMemoryBytes ?? null,
  }
}
