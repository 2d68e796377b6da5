// The signs on the board, drawn around 0,0 for a cell whose inscribed circle has radius 1.

export const FLAG = "M-.3-.62v1.24M-.3-.6L.48-.28L-.3.06Z";
export const TICK = "M-.42.04L-.12.36L.46-.34";
export const CROSS = "M-.4-.4L.4.4M-.4.4L.4-.4";
export const DIAMOND = "M0-.5L.5 0L0 .5L-.5 0Z";
export const STAR =
  "M0-.5L.15-.16L.52-.12L.24.13L.32.5L0 .31L-.32.5L-.24.13L-.52-.12L-.15-.16Z";
export const MINE =
  "M0-.62V.62M-.62 0H.62M-.42-.42L.42.42M-.42.42L.42-.42" +
  "M.4 0A.4.4 0 1 1-.4 0A.4.4 0 1 1 .4 0Z";
export const QUERY = "M-.27-.24A.28.28 0 1 1 .1.03Q0 .08 0 .24M0 .5V.51";
