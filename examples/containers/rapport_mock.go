// Package rapportmock starts the mock service in a container; it needs github.com/testcontainers/testcontainers-go.
package rapportmock

import (
	"context"
	"crypto/rand"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

const port = "4817/tcp"

// Mock is the mock service in a container.
type Mock struct {
	testcontainers.Container
	// URL is the base URL of the service; that of the control API is URL + "/_mock".
	URL string
	// ControlToken is the token of the control API, for the header "Authorization: Bearer …".
	ControlToken string
}

// Start starts the mock.
func Start(ctx context.Context) (*Mock, error) {
	token := rand.Text()
	container, err := testcontainers.GenericContainer(ctx, testcontainers.GenericContainerRequest{
		ContainerRequest: testcontainers.ContainerRequest{
			Image: "rapport-mock",
			Env: map[string]string{
				"RAPPORT_MOCK_CONTROL_TOKEN": token,
				"RAPPORT_MOCK_SCENARIO":      "empty",
			},
			ExposedPorts: []string{port},
			WaitingFor:   wait.ForHTTP("/_mock/health").WithPort(port),
		},
		Started: true,
	})
	if err != nil {
		return nil, err
	}
	url, err := container.PortEndpoint(ctx, port, "http")
	return &Mock{Container: container, URL: url, ControlToken: token}, err
}
