import { render, screen } from '@testing-library/react';
import App from './App';

describe('App', () => {
  it('starts at the sign-in page', async () => {
    process.env = {
      NODE_ENV: 'test',
      APP_CONFIG: [
        {
          context: 'test',
          data: {
            app: {
              title: 'Test',
              baseUrl: 'http://localhost',
              people: [
                {
                  name: 'mira',
                  title: 'Mira Okafor',
                  description: 'ML engineer',
                },
              ],
            },
            backend: { baseUrl: 'http://localhost:7007' },
          },
        },
      ] as any,
    };
    render(App.createRoot());
    expect(
      await screen.findByRole(
        'button',
        { name: /Mira Okafor/ },
        { timeout: 20_000 },
      ),
    ).toBeInTheDocument();
  }, 30_000);
});
