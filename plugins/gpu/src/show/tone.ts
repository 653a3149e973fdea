import { Theme } from '@material-ui/core/styles';

/** What a colour says, the same everywhere. Colour never says it alone. */
export type Tone = 'good' | 'busy' | 'waiting' | 'bad' | 'quiet';

/** The theme's colour for a tone; follows light and dark. */
export function toneColour(theme: Theme, tone: Tone): string {
  switch (tone) {
    case 'good':
      return theme.palette.success.main;
    case 'busy':
      return theme.palette.info.main;
    case 'waiting':
      return theme.palette.warning.main;
    case 'bad':
      return theme.palette.error.main;
    default:
      return theme.palette.text.disabled;
  }
}
