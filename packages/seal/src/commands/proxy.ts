export async function runProxy(): Promise<void> {}
