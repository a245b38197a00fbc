import type { ToDevice } from '../sealed-input.ts'
export async function sendToDevices(
  input: ToDevice,
): Promise<{ outcomes: readonly string[]; why: string | undefined }> {
  return { outcomes: ['x'], why: undefined }
}
