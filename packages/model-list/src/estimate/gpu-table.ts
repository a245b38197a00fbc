// Graphics cards by name: the bandwidth of their memory as their makers state it, the speed at which llama.cpp reads prompts on them, and their
// memory. Where cards of one name differ, the smaller one counts.

export interface GpuRow {
  /** GB/s. */
  bandwidth: number
  /** Teraflops that a prompt of a 4-bit model reaches, which is well below the maker's figure. */
  promptTeraflops: number
  /** In GB; `shared` if the card uses the machine's own memory. */
  memory: number | 'shared'
}

type Row = readonly [pattern: RegExp, bandwidth: number, promptTeraflops: number, memory: number | 'shared']

/** The first row that matches counts, so a longer name comes before its beginning. */
const ROWS: readonly Row[] = [
  // NVIDIA, for servers
  [/\bG?B[23]00\b/, 8000, 300, 180],
  [/\bGH200\b/, 4000, 170, 96],
  [/\bH200\b/, 4800, 180, 141],
  [/\bH100 (NVL|PCIe)/, 2000, 120, 80],
  [/\bH100\b/, 3350, 160, 80],
  [/\bA100\b.*80 ?GB/, 1935, 100, 80],
  [/\bA100\b/, 1555, 100, 40],
  [/\bL40S?\b/, 864, 110, 48],
  [/\bL4\b/, 300, 35, 24],
  [/\bA40\b/, 696, 55, 48],
  [/\bA30\b/, 933, 50, 24],
  [/\bA10G?\b/, 600, 40, 24],
  [/\bV100\b/, 900, 35, 16],
  [/\bT4\b/, 320, 16, 16],
  [/\bP100\b/, 732, 8, 16],
  [/\bP40\b/, 347, 8, 24],
  // NVIDIA, for workstations
  [/\bGB10\b/, 273, 35, 'shared'],
  [/PRO 6000/, 1792, 180, 96],
  [/RTX 6000 Ada/, 960, 120, 48],
  [/RTX 5000 Ada/, 576, 80, 32],
  [/RTX 4000/, 360, 40, 20],
  [/\bA6000\b/, 768, 60, 48],
  [/\bA5000\b/, 768, 45, 24],
  [/\bA4000\b/, 448, 30, 16],
  [/\bA2000\b/, 288, 12, 6],
  // NVIDIA, for laptops
  [/5090 Laptop/, 896, 90, 24],
  [/5080 Laptop/, 896, 70, 16],
  [/5070 Ti Laptop/, 672, 50, 12],
  [/50[5-7]0 Laptop/, 384, 35, 8],
  [/4090 Laptop/, 576, 70, 16],
  [/4080 Laptop/, 432, 55, 12],
  [/40[67]0 Laptop/, 256, 30, 8],
  [/4050 Laptop/, 192, 20, 6],
  [/30[78]0( Ti)? Laptop/, 448, 30, 8],
  [/30[56]0( Ti)? Laptop/, 192, 15, 4],
  // NVIDIA, for desktops
  [/RTX 5090/, 1792, 190, 32],
  [/RTX 5080/, 960, 100, 16],
  [/RTX 5070 Ti/, 896, 80, 16],
  [/RTX 5070/, 672, 60, 12],
  [/RTX 50[56]0/, 448, 40, 8],
  [/RTX 4090/, 1008, 140, 24],
  [/RTX 4080/, 717, 90, 16],
  [/RTX 4070 Ti SUPER/i, 672, 75, 16],
  [/RTX 4070/, 504, 60, 12],
  [/RTX 4060/, 272, 32, 8],
  [/RTX 3090/, 936, 65, 24],
  [/RTX 3080/, 760, 50, 10],
  [/RTX 3070|RTX 3060 Ti/, 448, 35, 8],
  [/RTX 3060/, 360, 24, 8],
  [/RTX 3050/, 192, 15, 6],
  [/RTX 2080 Ti/, 616, 30, 11],
  [/RTX 20[78]0/, 448, 22, 8],
  [/RTX 2060/, 336, 15, 6],
  [/GTX 16\d0/, 192, 5, 4],
  [/GTX 1080 Ti/, 484, 8, 11],
  [/GTX 10[78]0/, 256, 6, 8],
  [/GTX 1060/, 192, 3, 3],
  // AMD
  [/MI3\d\dX?/, 5300, 150, 192],
  [/MI2[15]0/, 1600, 50, 64],
  [/MI100/, 1229, 30, 32],
  [/RX 9070/, 640, 45, 16],
  [/RX 9060/, 320, 25, 8],
  [/7900 XTX|W7900/, 864, 45, 24],
  [/7900 XT\b/, 800, 40, 20],
  [/RX 7[89]00/, 576, 32, 16],
  [/RX 7700/, 432, 25, 12],
  [/RX 7600/, 288, 16, 8],
  [/RX 6[89]\d0/, 512, 18, 16],
  [/RX 67\d0/, 320, 11, 10],
  [/RX 66\d0/, 224, 8, 8],
  [/80[456]0S/, 256, 15, 'shared'],
  [/Radeon.*\b[678]\d0M\b|Radeon\(?T?M?\)? Graphics/, 70, 2, 'shared'],
  // Intel
  [/\bB5[78]0\b/, 380, 25, 10],
  [/\bA7[57]0M?\b/, 512, 20, 8],
  [/\bA3[158]0M?\b/, 124, 4, 4],
  [/Intel.*Arc/, 90, 4, 'shared'],
  [/Intel|Iris|UHD/, 40, 0.8, 'shared'],
]

/** The least that a card of this maker is likely to have. */
const UNKNOWN_NVIDIA: Row = [/NVIDIA|GeForce|Quadro|Tesla/, 190, 8, 6]
/** Perhaps a part of the processor. */
const UNKNOWN: Row = [/$/, 40, 0.8, 'shared']

export function findGpu(name: string): GpuRow {
  const [, bandwidth, promptTeraflops, memory] =
    [...ROWS, UNKNOWN_NVIDIA].find(([pattern]) => pattern.test(name)) ?? UNKNOWN
  return { bandwidth, promptTeraflops, memory }
}
